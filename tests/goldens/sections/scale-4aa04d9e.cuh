// acc += sums * scales, each rounded once; the sums begin again. They were those up to k-step
// `step` of a stage.
__device__ __forceinline__ void scale(
    Accumulators& acc, Accumulators& sums, ScalesA& scales_a, ScalesB& scales_b, int step) {
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
    // Other warps have the rest of a stage's k.
    const int by = SCALED_STEPS * MMA_K + (step + 1 == STEPS_K ? BLK_K - WARP_K : 0);
    scales_a.advance(by);
    scales_b.advance(by);
}
