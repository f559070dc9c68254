// No output is a matrix.
struct Outputs {
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {}
};
