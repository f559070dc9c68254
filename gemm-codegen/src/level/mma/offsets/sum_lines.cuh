// The sums of a k-step: sums += the lines of these fragments.
__device__ __forceinline__ void sum_lines(
    LineSums& sums, const unsigned (&fragments)[SummedLines::Tile::REGISTERS]) {
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
        SummedLines::add(sums[i], &fragments[i * SummedLines::REGISTERS]);
    }
}
