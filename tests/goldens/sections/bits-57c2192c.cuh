    static __device__ __forceinline__ int bits(int offset) {
        return (offset & ((1 << B) - 1) << (M + S)) >> S;
    }
