// A matrix whose rows run as the output's do, ALIGN bytes at least from one another.
template <class T, int ALIGN>
struct MatrixRun {
    const T* from;
    long long ld;
