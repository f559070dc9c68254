// A's factors of a k-tile, in the registers of each k-step's instruction: of rows lane / 4 and
// lane / 4 + 8 of a warp the pairs at k = lane % 4 * 2 and at 8 further. (PTX ISA, Register
// fragments for wgmma.mma_async.m64nNk16, A)
typedef unsigned FactorsA[ATOMS_M][STEPS_K][4];

// Converts them, from the rows m0.. of a stage.
#if SCALES
__device__ __forceinline__ void convert(
    FactorsA& factors, unsigned stage, int m0, const ScalesA& scales) {
#else
__device__ __forceinline__ void convert(FactorsA& factors, unsigned stage, int m0) {
#endif
    constexpr int CHUNK = 16 / int(sizeof(TileA::Element)), PAIRS = CHUNK * TileA::NUMBERS / 8;
    static_assert(TileA::COLS % CHUNK == 0 && STEPS_K * 2 % PAIRS == 0, "chunks have whole steps");
    const int line = m0 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int band = 0; band < 2; ++band) {
            const int row = line + i * MMA_M + band * 8;
#pragma unroll
            for (int at = 0; at < STEPS_K * 2; at += PAIRS) {
                unsigned chunk[4], pairs[PAIRS];
                load_shared<TileA>(chunk, stage + TileA::offset(row, at / PAIRS * CHUNK));
                take_pairs(pairs, chunk);
#pragma unroll
                for (int j = 0; j < PAIRS; ++j) {
                    const int step = (at + j) / 2, reg = (at + j) % 2 * 2 + band;
#if SCALES
                    const unsigned scale = scales.pair(2 * i + band, step);
                    factors[i][step][reg] = scaled(to_factor(pairs[j]), scale);
#else
                    factors[i][step][reg] = to_factor(pairs[j]);
#endif
                }
            }
        }
    }
}
