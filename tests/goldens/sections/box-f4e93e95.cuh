    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0 / NUMBERS * 2, block.m / LINES};
    }
