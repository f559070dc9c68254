    static __device__ __forceinline__ BatchBox box(Block block, int k0) {
        return {k0, block.m, block.batch};
    }
