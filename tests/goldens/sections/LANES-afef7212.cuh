    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        // A run of the lane, after those of the k before.
        constexpr int RUNS = LANE_N / RUN;  // of an atom
        const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;
        return stage + offset(k + i / RUNS % MMA_K, mn + run * (LANES * RUN));
    }
