// A matrix whose rows run across the output's.
template <class T>
struct MatrixStrided {
    const T* from;
    long long ld;
