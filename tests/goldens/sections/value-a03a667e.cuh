
    __device__ __forceinline__ Sum value(int i) const { return to_value(loaded[i]); }
};
