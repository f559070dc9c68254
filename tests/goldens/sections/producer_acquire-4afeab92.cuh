// Waits until the consumers of all blocks that get a part of it have released a stage, and lets it
// expect a k-tile.
__device__ __forceinline__ void producer_acquire(Ring ring, RingState state) {
    mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
    mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);
}
