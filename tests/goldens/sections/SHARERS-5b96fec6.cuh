    static constexpr int SHARERS = CLUSTER_M, RANKS_APART = 1;  // the same
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
};
