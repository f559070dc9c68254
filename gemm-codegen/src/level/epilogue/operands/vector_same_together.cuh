// A vector across the output's rows.
template <class T>
struct VectorSame {
    const T* from;
    __device__ __forceinline__ void read(Same<T>& element, int row, int, int) const {
        element.of_all = from[row];
    }
};
