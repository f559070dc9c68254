// Initialises the barriers. Threads of the cluster access them after its barrier.
__device__ __forceinline__ void initialise(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full + stage * 8, FULL_ARRIVALS);
        mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}
