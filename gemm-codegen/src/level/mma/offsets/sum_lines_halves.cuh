// The sums of a k-step: sums += the lines of these fragments, a few pairs of a run at a time.
__device__ __forceinline__ void sum_lines(
    LineSums& sums, const unsigned (&fragments)[SummedLines::Tile::REGISTERS]) {
    constexpr int BANDS = SummedLines::BANDS, RUN = SummedLines::REGISTERS / BANDS;
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
        unsigned factors[2 * BANDS];  // each pair of all bands
#pragma unroll
        for (int band = 0; band < BANDS; ++band) {
            unsigned pairs[2];
            to_factor<SummedLines::Tile::Element>(pairs, &fragments[(i * BANDS + band) * RUN]);
#pragma unroll
            for (int pair = 0; pair < 2; ++pair) factors[pair * BANDS + band] = pairs[pair];
        }
#pragma unroll
        for (int part = 0; part < INSTRUCTIONS; ++part) {
            SummedLines::add(sums[i], &factors[part * 2 * BANDS / INSTRUCTIONS]);
        }
    }
}
