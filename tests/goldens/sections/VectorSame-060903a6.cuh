// A vector across the output's rows, of values of type V.
template <class T, class V>
struct VectorSame {
    const T* from;
