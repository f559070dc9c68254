    // The line of a lane's scale i, from the first of the warpgroup on.
    static __device__ __forceinline__ int line(int i) { return i / 2 * MMA_M + threadIdx.x % 128 /
        32 * 16 + i % 2 * 8 + threadIdx.x % 32 / 4; }
};
