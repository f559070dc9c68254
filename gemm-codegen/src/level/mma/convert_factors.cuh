// A's factors of k-steps that are converted together, in the registers of each step's instruction:
// of rows lane / 4 and lane / 4 + 8 of a warp the pairs at k = lane % 4 * 2 and at 8 further.
// (PTX ISA, Register fragments for wgmma.mma_async.m64nNk16, A)
typedef unsigned FactorsA[ATOMS_M][CONVERTED_STEPS][4];

// Converts them, from k-step `step0` of rows m0.. of a stage on.
__device__ __forceinline__ void convert(
    FactorsA& factors, unsigned stage, int m0, int step0, const ScalesA& scales) {
    constexpr int CHUNK = 16 / int(sizeof(TileA::Element)), PAIRS = CHUNK * TileA::NUMBERS / 8;
    static_assert(CONVERTED_STEPS * 2 % PAIRS == 0, "chunks have whole steps");
    const int line = m0 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int band = 0; band < 2; ++band) {
            const int row = line + i * MMA_M + band * 8;
#pragma unroll
            for (int at = 0; at < CONVERTED_STEPS * 2; at += PAIRS) {
                unsigned chunk[4], pairs[PAIRS];
                const int col = (step0 * 2 + at) / PAIRS * CHUNK;
                shared_to_register<TileA>(chunk, stage, row, col);
                take_pairs(pairs, chunk);
#pragma unroll
                for (int j = 0; j < PAIRS; ++j) {
                    const int step = (at + j) / 2, reg = (at + j) % 2 * 2 + band;
                    factors[i][step][reg] =
                        scaled(to_factor(pairs[j]), scales, 2 * i + band, step0 + step);
                }
            }
        }
    }
}
