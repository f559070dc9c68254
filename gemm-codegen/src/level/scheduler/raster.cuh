// The part of the output that `tile` is.
#if BATCHED
// The matrices of a batch follow each other.
#endif
__device__ __forceinline__ Block raster(int m, int n, Counts counts, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
#if BATCHED
    const int matrix_tiles = tiles_m * tiles_n;
    const TileIndex at = in_strips(tile % matrix_tiles, tiles_m, tiles_n);
    return Block{counts.matrix(tile / matrix_tiles), at.m * BLK_M, at.n * BLK_N};
#else
    const TileIndex at = in_strips(tile, tiles_m, tiles_n);
    return Block{at.m * BLK_M, at.n * BLK_N};
#endif
}
