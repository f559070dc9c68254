    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        if (number == 0) return 0.0f;
        return 0.0f;
    }
