
    // Gives the shared memory back.
    __device__ __forceinline__ void finish() { __syncthreads(); }
};
