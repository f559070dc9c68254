// After an odd number of k-steps, the next k-tile starts from fragments 0.
__device__ __forceinline__ void restart_fragments(
    unsigned (&a)[2][TileA::REGISTERS], unsigned (&b)[2][TileB::REGISTERS]) {
#pragma unroll
    for (int i = 0; i < TileA::REGISTERS; ++i) a[0][i] = a[1][i];
#pragma unroll
    for (int i = 0; i < TileB::REGISTERS; ++i) b[0][i] = b[1][i];
}
