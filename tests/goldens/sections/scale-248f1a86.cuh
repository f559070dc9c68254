// acc += sums * scales, each rounded once; the sums begin again.
__device__ __forceinline__ void scale(
    Accumulators& acc, SumsOfTile& sums, ScalesA& scales_a, ScalesB& scales_b) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int c = 0; c < C_REGISTERS; ++c) {
                const Sum scale = scales_a.value(2 * i + c / 2) * scales_b.value(2 * j + c % 2);
                acc[i][j][c] = __fmaf_rn(sums[i][j][c], scale, acc[i][j][c]);
                sums[i][j][c] = 0;
            }
        }
    }
}
