    __device__ __forceinline__ void copy_next_tile() {
        global_to_shared(write, from);
        cp_async_commit();
        write = write == last ? first : write + STAGE_BYTES;
    }
