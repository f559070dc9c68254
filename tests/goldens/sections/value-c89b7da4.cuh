
    __device__ __forceinline__ Sum value(int i) const { return loaded[i]; }
};
