    static constexpr int SHARERS = CLUSTER_M, RANKS_APART = 1;  // the same
    static constexpr int LEADING = 8192, STRIDE = 1024;  // bytes, of a descriptor
    // Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
    static __device__ __forceinline__ int offset(int mn, int k) {
        return mn / 64 * LEADING + k * PITCH;
    }
};
