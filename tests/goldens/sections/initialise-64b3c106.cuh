// Initialises the barriers. The thread that calls this may use them at once, the others of the
// block after a barrier.
__device__ __forceinline__ void initialise(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full + stage * 8, FULL_ARRIVALS);
        mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}
