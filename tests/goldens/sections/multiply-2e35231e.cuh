// The same with `count` k-tiles from `state` on; between the first of them and the others,
// `meanwhile` is called.
template <class Meanwhile>
__device__ __forceinline__ void multiply(
    Unpromoted& of, Ring ring, RingState state, Warpgroup warpgroup, int atom, int count,
    Meanwhile meanwhile) {
#pragma unroll
    for (int j = 0; j < PROMOTED_SUMS; ++j) discard_operand(of.sums[j]);
    multiply<true>(of, ring, state, warpgroup, atom);
    meanwhile();
    for (int tile = 1; tile < count; ++tile) {
        state.advance();
        multiply<false>(of, ring, state, warpgroup, atom);
    }
}
