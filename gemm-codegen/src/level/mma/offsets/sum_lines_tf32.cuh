// The sums of a k-step: sums += the lines of these fragments, rounded as they are multiplied.
__device__ __forceinline__ void sum_lines(
    LineSums& sums, const unsigned (&fragments)[SummedLines::Tile::REGISTERS]) {
    unsigned rounded[SummedLines::Tile::REGISTERS];
#pragma unroll
    for (int i = 0; i < SummedLines::Tile::REGISTERS; ++i) rounded[i] = round_tf32(fragments[i]);
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
        SummedLines::add(sums[i], &rounded[i * SummedLines::REGISTERS]);
    }
}
