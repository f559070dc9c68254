    __device__ __forceinline__ unsigned loaded_barrier(unsigned stage) const {
        return loaded + stage * BARRIER_BYTES;
    }
