// One of several outputs, of values of type V, whose rows are ALIGN bytes at least from one
// another.
template <class T, class V, int ALIGN>
struct Output {
    T* to;
    long long ld;
