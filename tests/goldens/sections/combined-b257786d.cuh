    __device__ __forceinline__ static Reducible combined(
        int number, Reducible one, Reducible other) {
        if (number == 0) return one + other;
        return fmaxf(one, other);
    }
