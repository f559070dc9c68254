// Says that the warp has multiplied `count` k-tiles, one at least, from `state` on, which is then
// the next one's. If the latest is the last of all, its stage is not released. Returns that stage.
__device__ __forceinline__ unsigned release(
    Ring ring, RingState& state, int count, bool is_last) {
    for (int tile = 1; tile < count; ++tile, state.advance()) {
        consumer_release(ring, state.stage);
    }
    const unsigned latest = state.stage;
    state.advance();
    if (!is_last) consumer_release(ring, latest);
    return latest;
}
