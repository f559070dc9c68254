
    // Gives the shared memory back.
    __device__ __forceinline__ void finish() {
        cp_async_wait<0>();
        __syncthreads();
    }
};
