// The part of the output that `tile` is. Tiles follow each other in strips of RASTER tiles along
// n, so that blocks running together read the same panels from L2.
// The matrices of a batch follow each other.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
    const int number = tile % (tiles_m * tiles_n);  // within its matrix
    const int strip_tiles = min(RASTER, tiles_n) * tiles_m;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_n - strip * RASTER);
    Block block;
    block.batch = tile / (tiles_m * tiles_n);
    block.n = (strip * RASTER + within % width) * BLK_N;
    block.m = within / width * BLK_M;
    return block;
}
