// The value that is stored.
__device__ __forceinline__ float stored(const Result& result) { return result.out0; }
