    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        const int further = i / RUN * (LANES * RUN);  // to the row's run
        // Further rows of the run, and k, only flip bits of its first address.
        return ((stage + offset(mn, 0)) ^ offset(i % RUN, k)) + further * PITCH;
    }
