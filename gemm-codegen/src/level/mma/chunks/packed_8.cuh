// The pairs of a k-step of packed numbers of 8 bits, in bits 0 and 16 on: two of a word.
__device__ __forceinline__ void take_pairs(unsigned (&pairs)[4], const unsigned* packed) {
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = packed[i / 2] >> i % 2 * 8 & 0x00ff00ff;
}
