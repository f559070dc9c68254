// The part of the output that `tile` is. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
// The matrices of a batch follow each other.
// Tiles are those of clusters: each block of one computes its part.
__device__ __forceinline__ Block raster(int m, int n, Counts counts, int tile) {
    const int tiles_m = (m - 1) / (CLUSTER_M * BLK_M) + 1;
    const int tiles_n = (n - 1) / (CLUSTER_N * BLK_N) + 1;
    const int number = tile % (tiles_m * tiles_n);  // within its matrix
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    Block block;
    block.batch = counts.matrix(tile / (tiles_m * tiles_n));
    block.m = (strip * RASTER + within % width) * BLK_M;
    block.n = within / width * BLK_N;
    block.m = CLUSTER_M * block.m + cluster_rank() % CLUSTER_M * BLK_M;
    block.n = CLUSTER_N * block.n + cluster_rank() / CLUSTER_M * BLK_N;
    return block;
}
