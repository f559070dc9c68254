// The k-tiles of a tile of the output.
__device__ __forceinline__ int k_tiles(int k) { return (k + BLK_K - 1) / BLK_K; }
