// Fused multiply-adds of f32 in registers. CHAINS: as many values of a lane, each multiplied and
// added to by the same two; without it, an outer product of 8 by 8 as in a GEMM, by two pairs of
// factors in turn.

extern "C" __global__ void __launch_bounds__(THREADS, 1) roof(
    const float* source, unsigned* target, long long steps, u64 never) {
    const float* from = source + threadIdx.x;
#ifdef CHAINS
    // Multiplied by nearly -1, a value stays bounded and keeps changing.
    const float a = -1.0f + 0.001f * from[0], b = from[THREADS];
    float c[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) c[i] = from[(2 + i) * THREADS];
#pragma unroll 1
    for (long long step = 0; step < steps; ++step) {
#pragma unroll
        for (int i = 0; i < 32 * CHAINS; ++i) c[i % CHAINS] = fmaf(c[i % CHAINS], a, b);
    }
#else
    constexpr int CHAINS = 64;
    float a[2][8], b[2][8], c[CHAINS] = {};
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        a[i / 8][i % 8] = from[i * THREADS];
        b[i / 8][i % 8] = from[(16 + i) * THREADS];
    }
#pragma unroll 1
    for (long long step = 0; step < steps; ++step) {
#pragma unroll
        for (int i = 0; i < 8 * CHAINS; ++i) {
            float& sum = c[i % CHAINS];
            const int side = i / CHAINS % 2;
            sum = fmaf(a[side][i / 8 % 8], b[side][i % 8], sum);
        }
    }
#endif
    unsigned word = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) word ^= bits(c[i]);
    keep(word, target, unsigned(never));
}
