// The lane's pairs of a chunk of 32 numbers of 4 bits, in bits 0 and 16 on: of every eight those at
// lane % 4 * 2, which are a byte.
__device__ __forceinline__ void take_pairs(unsigned (&pairs)[4], const unsigned (&chunk)[4]) {
    const unsigned both = 0x0400 + threadIdx.x % 4 * 0x0101;  // the byte, and that 4 bits further
    // threadIdx.y is 0, as the compiler does not know: it would load a constant for each use.
    const unsigned low = 0x000f000f | threadIdx.y;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        pairs[i] = __byte_perm(chunk[i], chunk[i] >> 4, both) & low;
    }
}
