// Initialises their barriers, by the first thread of the block. Others use them after a barrier.
__device__ __forceinline__ void init_epilogue_barriers(Shared& shared) {
    if (threadIdx.x > 0) return;
    for (int group = 0; group < STORERS; ++group) {
        const EpilogueRing ring(shared, group);
        for (int stage = 0; stage < EPILOGUE_STAGES; ++stage) {
            mbarrier_init(ring.loaded_barrier(stage), 1);
            mbarrier_init(ring.written_barrier(stage), 128 / 32);
        }
    }
    mbarrier_init_fence();
}
