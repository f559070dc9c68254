// Says that the warp has multiplied `count` k-tiles from `state` on, which is then the next one's.
__device__ __forceinline__ void release(Ring ring, RingState& state, int count) {
    for (int tile = 0; tile < count; ++tile, state.advance()) {
        consumer_release(ring, state.stage);
    }
}
