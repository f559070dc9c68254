// The part of the output that `tile` is.
// The matrices of a batch follow each other.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
    const int matrix_tiles = tiles_m * tiles_n;
    const TileIndex at = in_strips(tile % matrix_tiles, tiles_m, tiles_n);
    return Block{tile / matrix_tiles, at.m * BLK_M, at.n * BLK_N};
}
