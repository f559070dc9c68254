// An output, whose rows are ALIGN bytes at least from one another.
template <class T, int ALIGN>
struct Output {
    T* to;
    long long ld;
