// Initialises the barriers. Other threads may use them after a barrier of the block, or of the
// cluster.
__device__ __forceinline__ void init_barriers(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);
        mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}
