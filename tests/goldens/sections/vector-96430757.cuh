    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        // A run of the lane, after those of the k before.
        constexpr int RUNS = LANE_M / RUN;  // of an atom
        const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;
        return stage + offset(k + i / RUNS % MMA_K, mn + run * (LANES * RUN));
    }
