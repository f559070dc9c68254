// A sum times a value.
__device__ __forceinline__ Sum times(Sum sum, Sum by) { return sum * by; }
