// acc += both sums * scales, each step rounded once; the sums begin again.
__device__ __forceinline__ void scale(
    Accumulators& acc, SumsOfTile& sums, ScalesA& scales_a, ScalesB& scales_b) {
#pragma unroll
    for (int c = 0; c < C_REGISTERS; ++c) {
        const Sum scale = scales_a.value(c / 2) * scales_b.value(c % 2);
        acc[0][0][c] = __fmaf_rn(sums[0][c] + sums[1][c], scale, acc[0][0][c]);
        sums[0][c] = sums[1][c] = 0;
    }
}
