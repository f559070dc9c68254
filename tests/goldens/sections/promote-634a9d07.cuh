// acc += the products of the k-tiles from `state` on, of one atom after the other: `count` are
// summed by the tensor cores, which truncate, and then added to acc, which rounds to nearest.
__device__ __forceinline__ void promote(
    Accumulators& acc, Ring ring, RingState state, Warpgroup warpgroup, int count) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
        Sum sums[SUMS];
#pragma unroll
        for (int j = 0; j < SUMS; ++j) discard_operand(sums[j]);
        RingState next = state;
        multiply<true>(sums, ring, next, warpgroup, i);
        next.advance();
        for (int tile = 1; tile < count; ++tile, next.advance()) {
            multiply<false>(sums, ring, next, warpgroup, i);
        }
        wgmma_wait<0>();
#pragma unroll
        for (int j = 0; j < SUMS; ++j) {
            fence_operand(sums[j]);
            acc[i][j] += sums[j];
        }
    }
}
