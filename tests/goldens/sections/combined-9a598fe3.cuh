    __device__ __forceinline__ static Reducible combined(
        int number, Reducible one, Reducible other) {
        return fmaxf(one, other);
    }
