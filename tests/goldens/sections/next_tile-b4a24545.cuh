
    // Goes on to the next k-tile, which must have landed.
    __device__ __forceinline__ void next_tile() {
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        read = read == last ? first : read + STAGE_BYTES;
    }
