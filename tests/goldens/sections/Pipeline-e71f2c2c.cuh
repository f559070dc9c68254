    // The first k-tile has landed.
    __device__ __forceinline__ Pipeline(Shared& shared, Sources& from)
        : from(from),
          first(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          last(first + (STAGES - 1) * STAGE_BYTES) {
        prologue(first, from);
        cp_async_wait<STAGES - 2>();
        __syncthreads();
    }
