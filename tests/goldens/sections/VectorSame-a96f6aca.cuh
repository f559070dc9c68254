// A vector across the output's rows.
template <class T>
struct VectorSame {
    const T* from;
