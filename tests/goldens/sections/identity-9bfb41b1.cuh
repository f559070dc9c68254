    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        return 0.0f;
    }
