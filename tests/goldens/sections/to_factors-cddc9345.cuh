// Converts packed numbers of 16 lines for a k-step, to the registers of one m16n8k16 after the
// other.
__device__ __forceinline__ void to_factors(
    unsigned (&factors)[MMA_K / 4], const unsigned* packed) {
    constexpr int STEPS = MMA_K / 16, WORDS = PackedTile::VECTOR_BYTES / 4 / STEPS;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
        unsigned pairs[4];
        take_pairs(pairs, &packed[step * WORDS]);
#pragma unroll
        for (int i = 0; i < 4; ++i) factors[step * 4 + i] = to_factor(pairs[i]);
    }
}
