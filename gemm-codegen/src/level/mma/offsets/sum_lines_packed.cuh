// The sums of a k-step: sums += the lines of these packed numbers. An element has those of an atom
// of A, or of two of B, whose registers alternate.
__device__ __forceinline__ void sum_lines(
    LineSums& sums, const unsigned (&packed)[SummedLines::Tile::REGISTERS]) {
    constexpr int OF_ELEMENT = 2 / SummedLines::BANDS, COUNT = MMA_K / 4 / OF_ELEMENT;
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
        unsigned factors[MMA_K / 4], of_atom[COUNT];
        to_factors(factors, &packed[i / OF_ELEMENT * SummedLines::REGISTERS]);
#pragma unroll
        for (int j = 0; j < COUNT; ++j) of_atom[j] = factors[j * OF_ELEMENT + i % OF_ELEMENT];
#pragma unroll
        for (int part = 0; part < INSTRUCTIONS; ++part) {
            SummedLines::add(sums[i], &of_atom[part * COUNT / INSTRUCTIONS]);
        }
    }
}
