// Initialises their barriers, by the first thread of the block. Others use them after a barrier.
__device__ __forceinline__ void initialise_slabs(Shared& shared) {
    if (threadIdx.x > 0) return;
    for (int group = 0; group < MOVERS; ++group) {
        const Slabs slabs(shared, group);
        for (int place = 0; place < PLACES; ++place) {
            mbarrier_init(slabs.fetched + place * 8, 1);
            mbarrier_init(slabs.written + place * 8, 128 / 32);
        }
    }
    mbarrier_init_fence();
}
