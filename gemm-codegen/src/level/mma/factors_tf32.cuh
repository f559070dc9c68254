// Rounds what was loaded, as the instruction would drop the low bits of its factors.
template <int COUNT>
__device__ __forceinline__ void round_factors(unsigned (&factors)[COUNT]) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) factors[i] = round_tf32(factors[i]);
}
