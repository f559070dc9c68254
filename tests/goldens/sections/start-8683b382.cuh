    // Begins a pass.
    __device__ __forceinline__ void start() {
    }
