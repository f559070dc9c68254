// A ring of STAGES stages in shared memory: STAGES - 1 are in flight while one is multiplied.
struct Pipeline {
    Sources& from;
    const unsigned first, last;  // stages of the ring
    unsigned read = first, write = last;

    // The first k-tile has landed.
    __device__ __forceinline__ Pipeline(Shared& shared, Sources& from)
        : from(from),
          first(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          last(first + (STAGES - 1) * STAGE_BYTES) {
        prologue(first, from);
        cp_async_wait<STAGES - 2>();
        __syncthreads();
    }

    // Refills the stage that the previous k-tile was read from; a barrier lies between. The copies
    // follow the loads that the next k-step waits for, except where the only k-step waits for
    // their group.
    __device__ __forceinline__ void begin_tile() {
        if (STEPS_K == 1) copy_next_tile();
    }
    __device__ __forceinline__ void end_loads(int step) {
        if (STEPS_K > 1 && step == 0) copy_next_tile();
    }
    __device__ __forceinline__ void copy_next_tile() {
        global_to_shared(write, from);
        cp_async_commit();
        write = write == last ? first : write + STAGE_BYTES;
    }

    // Goes on to the next k-tile, which must have landed.
    __device__ __forceinline__ void next_tile() {
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        read = read == last ? first : read + STAGE_BYTES;
    }

    // Gives the shared memory back.
    __device__ __forceinline__ void finish() {
        cp_async_wait<0>();
        __syncthreads();
    }
};
