// A's factors have no scales.
struct ScalesA {
    __device__ __forceinline__ void advance() {}
};
