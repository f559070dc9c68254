// The sums of a k-step of several instructions: sums += the lines of these fragments.
__device__ __forceinline__ void sum_lines(
    LineSums& sums, const unsigned (&fragments)[SummedLines::Tile::REGISTERS]) {
    constexpr int REGISTERS = SummedLines::REGISTERS, OF_PART = REGISTERS / INSTRUCTIONS;
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
#pragma unroll
        for (int part = 0; part < INSTRUCTIONS; ++part) {
            SummedLines::add(sums[i], &fragments[i * REGISTERS + part * OF_PART]);
        }
    }
}
