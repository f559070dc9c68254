// The epilogue tiles of a warpgroup, in stages with one for each matrix that the body reads, and
// their barriers: `loaded` completes when the copy unit has brought what the body reads, `written`
// when every warp has put its results there.
struct EpilogueRing {
    Staged* stages;
    unsigned loaded, written;
    __device__ __forceinline__ EpilogueRing(Shared& shared, int group)
        : stages(shared.staged + group * EPILOGUE_STAGES * EPILOGUE_STAGE),
          loaded(static_cast<unsigned>(__cvta_generic_to_shared(shared.epilogue.loaded[group]))),
          written(static_cast<unsigned>(__cvta_generic_to_shared(shared.epilogue.written[group]))) {
    }
    __device__ __forceinline__ unsigned loaded_barrier(unsigned stage) const {
        return loaded + stage * BARRIER_BYTES;
    }
    __device__ __forceinline__ unsigned written_barrier(unsigned stage) const {
        return written + stage * BARRIER_BYTES;
    }
};
typedef PipelineState<EPILOGUE_STAGES> EpilogueState;

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

// The warpgroup whose epilogue tiles the thread has copied, or -1: the first threads of the warps
// after the one that fills the ring of k-tiles have one each.
__device__ __forceinline__ int copied_group() {
    const int group = int(threadIdx.x - CONSUMERS) / 32 - 1;
    return threadIdx.x % 32 == 0 && group < STORERS ? group : -1;
}
