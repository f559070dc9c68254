    __device__ __forceinline__ void advance() {
        if (++stage == COUNT) stage = 0, phase ^= 1;
    }
};
