// The state after the first `tiles` k-tiles, at most one for each stage. No stage has been filled
// before: each counts as released.
__device__ __forceinline__ RingState state_after(int tiles) {
    return tiles == STAGES ? RingState{0, 0} : RingState{unsigned(tiles), 1};
}
