// The lane's pairs of a chunk of 16 numbers of 8 bits, in bits 0 and 16 on: of every eight those at
// lane % 4 * 2.
__device__ __forceinline__ void take_pairs(unsigned (&pairs)[2], const unsigned (&chunk)[4]) {
    const unsigned both = 0x0100 + threadIdx.x % 4 * 0x0202;  // the byte, and the next one
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        pairs[i] = __byte_perm(chunk[2 * i], chunk[2 * i + 1], both) & 0x00ff00ff;
    }
}
