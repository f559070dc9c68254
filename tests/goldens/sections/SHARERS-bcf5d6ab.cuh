    // Blocks of a cluster that multiply it, and how far apart their ranks are.
    static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
    // Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
    static __device__ __forceinline__ int offset(int mn, int k) {
        return mn * PITCH + k * int(sizeof(Element));
    }
};
