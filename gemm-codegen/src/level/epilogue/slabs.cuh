// The places of a warpgroup and their barriers: `fetched` completes when the copy unit has brought
// what the body reads, `written` when every warp has put its results there.
struct Slabs {
    Staged* places;
    unsigned fetched, written;
    __device__ __forceinline__ Slabs(Shared& shared, int group)
        : places(shared.staged + group * PLACES * PLACE),
          fetched(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.fetched[group]))),
          written(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.written[group]))) {}
};

// One of them, and the parity of the phase that the next wait for it is for.
struct SlabPlace {
    unsigned number, parity;
    __device__ __forceinline__ void advance() {
        if (++number == PLACES) number = 0, parity ^= 1;
    }
};

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

// The warpgroup whose slabs the thread moves, or -1: the first threads of the warps after the one
// that fills the ring have one each.
__device__ __forceinline__ int group_moved() {
    const int group = int(threadIdx.x - CONSUMERS) / 32 - 1;
    return threadIdx.x % 32 == 0 && group < MOVERS ? group : -1;
}
