// The sums of no k-tile.
__device__ __forceinline__ void clear(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
    }
}
