// Multiplies all sums by a value.
__device__ __forceinline__ void scale_sums(Accumulators& acc, Sum by) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) acc[i][j] = times(acc[i][j], by);
    }
}
