    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        if (number == 0) return 0.0f;
        return -__int_as_float(0x7f800000);
    }
