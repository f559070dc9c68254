// Waits until the consumers of all blocks that get a part of it have released a stage, and lets it
// expect a k-tile.
__device__ __forceinline__ void producer_acquire(Ring ring, RingState state) {
    mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
#if CONVERTED
    fence_proxy_async();  // threads have loaded from it
#endif
    mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);
}

// Waits until every stage has been released. Until then blocks of the cluster read what this one
// has copied to them, and arrive at its barriers.
__device__ __forceinline__ void producer_tail(Ring ring, RingState state) {
    for (int stage = 0; stage < STAGES; ++stage, state.advance()) {
        mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
    }
}
