// What a factor without scales is multiplied by.
struct Unscaled {
    __device__ __forceinline__ Sum value(int) const { return 1; }
    __device__ __forceinline__ void load(unsigned, int, int) {}
};
