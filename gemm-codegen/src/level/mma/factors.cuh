// What was loaded is multiplied as it is.
template <int COUNT>
__device__ __forceinline__ void round_factors(unsigned (&)[COUNT]) {}
