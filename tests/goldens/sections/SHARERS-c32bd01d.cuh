    // Blocks of a cluster that multiply it, and how far apart their ranks are.
    static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;
    static constexpr int LEADING = 8192, STRIDE = 1024;  // bytes, of a descriptor
};
