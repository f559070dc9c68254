    __device__ __forceinline__ unsigned empty_barrier(unsigned stage) const {
        return empty + stage * BARRIER_BYTES;
    }
};
