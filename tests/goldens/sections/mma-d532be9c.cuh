// One k-step of both.
__device__ __forceinline__ void mma(
    SumsOfTile& sums,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    mma(sums.products, a, b);
    sum_lines(sums.lines, a);
}
