// The lane's part of c(MMA_M x MMA_N) += a(MMA_M x MMA_K) * b(MMA_K x MMA_N): for each k the outer
// product of LANE_M factors by LANE_N, fused multiply-adds. Each row begins with the factor that
// the previous row ended with.
__device__ __forceinline__ void mma_atom(
    Sum (&c)[C_REGISTERS], const unsigned* a, const unsigned* b) {
#pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
#pragma unroll
        for (int i = 0; i < LANE_M; ++i) {
            const Sum of_a = factor<TileA>(a, i, k);
#pragma unroll
            for (int turn = 0; turn < LANE_N; ++turn) {
                const int j = i % 2 == 0 ? turn : LANE_N - 1 - turn;
                Sum& sum = c[i * LANE_N + j];
                sum = __fmaf_rn(of_a, factor<TileB>(b, j, k), sum);
            }
        }
    }
}
