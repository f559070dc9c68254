// The pairs of a k-step of packed numbers of 4 bits, in bits 0 and 16 on: one of each four bits.
__device__ __forceinline__ void take_pairs(unsigned (&pairs)[4], const unsigned* packed) {
    // threadIdx.y is 0, as the compiler does not know: it would load a constant for each use.
    const unsigned low = 0x000f000f | threadIdx.y;
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = packed[0] >> 4 * i & low;
}
