// A matrix whose rows run across the output's.
template <class T>
struct MatrixStrided {
    const T* from;
    long long ld;
    // Reads COUNT elements of the output's `row` from `col` on; those from `valid` on are not
    // accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Elements<T, COUNT>& elements, int row, int col, int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            elements.of[i] = i < valid ? from[(col + i) * ld + row] : T();
        }
    }
};
