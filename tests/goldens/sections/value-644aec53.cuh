
    __device__ __forceinline__ Sum value(int i) const { return scales.value(i); }
    __device__ __forceinline__ Sum offset(int i) const { return offsets.value(i); }
};
