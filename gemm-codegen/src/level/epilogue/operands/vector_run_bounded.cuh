// A vector along the output's rows, of values of type V. Each element is compared with the end, so
// that nothing branches, and what is read and computed of many elements is in flight at a time.
template <class T, class V>
struct VectorRun {
    const T* from;
    // Values from `col` on; elements from `cols` on are not accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ Elements<V, COUNT> read(int, int col, int, int cols) const {
        Elements<V, COUNT> values;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            values.of[i] = col + i < cols ? to_value(from[col + i]) : V(0);
        }
        return values;
    }
};
