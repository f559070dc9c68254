// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every warp that multiplies what this block has copied there has done so.
struct Ring {
    unsigned stages, full, empty;
    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          full(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.full))),
          empty(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.empty))) {}
    __device__ __forceinline__ unsigned full_barrier(unsigned stage) const {
        return full + stage * BARRIER_BYTES;
    }
    __device__ __forceinline__ unsigned empty_barrier(unsigned stage) const {
        return empty + stage * BARRIER_BYTES;
    }
};

typedef PipelineState<STAGES> RingState;

// The state after the first `tiles` k-tiles, at most one for each stage. No stage has been filled
// before: each counts as released.
__device__ __forceinline__ RingState state_after(int tiles) {
    return tiles == STAGES ? RingState{0, 0} : RingState{unsigned(tiles), 1};
}

// Initialises the barriers. Other threads may use them after a barrier of the block, or of the
// cluster.
__device__ __forceinline__ void init_barriers(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);
        mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}
