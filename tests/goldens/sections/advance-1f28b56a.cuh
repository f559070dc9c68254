    __device__ __forceinline__ void advance() {
        if (++number == PLACES) number = 0, parity ^= 1;
    }
};
