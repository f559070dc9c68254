    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        const int further = i / RUN * (LANES * RUN);  // to the row's run
        // Further rows of the run, and k, only flip bits of its first address.
        return ((stage + offset(mn, 0)) ^ offset(i % RUN, k)) + further * PITCH;
    }
