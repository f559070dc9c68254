// Leaves out the k-tiles of the other warpgroup.
__device__ __forceinline__ void skip(RingState& state, int tiles) {
    const unsigned to = state.stage + tiles;
    state.stage = to % STAGES, state.phase ^= to / STAGES & 1;
}
