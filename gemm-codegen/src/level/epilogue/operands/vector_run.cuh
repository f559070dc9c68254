// A vector along the output's rows, of values of type V.
template <class T, class V, int ALIGN>
struct VectorRun {
    const T* from;
    // Values from `col` on; elements from `valid` on are not accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ Elements<V, COUNT> read(int, int col, int valid) const {
        Elements<V, COUNT> values;
        load<ALIGN>(values.of, from + col, valid);
        return values;
    }
};
