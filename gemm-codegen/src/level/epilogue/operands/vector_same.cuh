// A vector across the output's rows, of values of type V.
template <class T, class V>
struct VectorSame {
    const T* from;
    template <int COUNT>
    __device__ __forceinline__ Same<V> read(int row, int, int) const {
        return Same<V>{to_value(from[row])};
    }
};
