// The lane's part of c(MMA_M x MMA_N) += a(MMA_M x MMA_K) * b(MMA_K x MMA_N): for each k the outer
// product of LANE_M factors by LANE_N, fused multiply-adds.
__device__ __forceinline__ void mma_atom(
    Sum (&c)[C_REGISTERS], const unsigned* a, const unsigned* b) {
#pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
#pragma unroll
        for (int i = 0; i < LANE_M; ++i) {
            const Sum of_a = factor<TileA>(a, i, k);
#pragma unroll
            for (int j = 0; j < LANE_N; ++j) {
                Sum& sum = c[i * LANE_N + j];
#if DOUBLES
                sum = __fma_rn(of_a, factor<TileB>(b, j, k), sum);
#else
                sum = __fmaf_rn(of_a, factor<TileB>(b, j, k), sum);
#endif
            }
        }
    }
}
