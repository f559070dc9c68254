    __device__ __forceinline__ void load(unsigned stage, int mn, int k) {
        scales.load(stage, mn, k);
        offsets.load(stage, mn, k);
    }
