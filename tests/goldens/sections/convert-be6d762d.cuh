// Converts them, from k-step `step0` of rows m0.. of a stage on.
__device__ __forceinline__ void convert(
    FactorsA& factors, unsigned stage, int m0, int step0, const ScalesA& scales) {
    constexpr int STEPS = TileA::LOADED_K / MMA_K, WORDS = TileA::VECTOR_BYTES / 4;  // of a load
    static_assert(CONVERTED_STEPS % STEPS == 0, "loads have whole steps");
    const int line = m0 + threadIdx.x % 128 / 32 * 16;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int at = 0; at < CONVERTED_STEPS; at += STEPS) {
            unsigned packed[WORDS];
            const int k = (step0 + at) * MMA_K;
            shared_to_register<TileA>(packed, stage, line + i * MMA_M, k);
#pragma unroll
            for (int step = 0; step < STEPS; ++step) {
                unsigned pairs[4];
                take_pairs(pairs, &packed[step * (WORDS / STEPS)]);
#pragma unroll
                for (int reg = 0; reg < 4; ++reg) {
                    factors[i][at + step][reg] = scaled(
                        to_factor(pairs[reg]), scales, 2 * i + reg % 2, step0 + at + step);
                }
            }
        }
    }
}
