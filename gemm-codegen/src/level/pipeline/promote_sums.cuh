// acc += sums, which were truncated; this rounds to nearest. They begin again.
__device__ __forceinline__ void promote(Accumulators& acc, Accumulators& sums) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int c = 0; c < C_REGISTERS; ++c) {
                acc[i][j][c] += sums[i][j][c];
                sums[i][j][c] = 0;
            }
        }
    }
}
