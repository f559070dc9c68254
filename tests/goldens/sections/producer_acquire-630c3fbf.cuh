// Waits until the consumers have released a stage, and lets it expect a k-tile.
__device__ __forceinline__ void producer_acquire(Ring ring, RingState state) {
    mbarrier_wait(ring.empty_barrier(state.stage), state.phase);
    fence_proxy_async();  // threads have loaded from it
    mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);
}
