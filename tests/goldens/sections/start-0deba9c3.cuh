    // Begins an atom.
    __device__ __forceinline__ void start() {
#pragma unroll
        for (int i = 0; i < 2 * Of::COUNT; ++i) {
            own[i / Of::COUNT][i % Of::COUNT] = Of::identity(i % Of::COUNT);
        }
    }
