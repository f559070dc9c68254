// The part of the output that `tile` is. Tiles follow each other in strips of RASTER tiles along
#if ALONG_M
// m, so that blocks running together read the same panels from L2.
#else
// n, so that blocks running together read the same panels from L2.
#endif
#if BATCHED
// The matrices of a batch follow each other.
#endif
#if CLUSTERED
// Tiles are those of clusters: each block of one computes its part.
#endif
__device__ __forceinline__ Block raster(int m, int n, Counts counts, int tile) {
#if CLUSTERED
    const int tiles_m = (m - 1) / (CLUSTER_M * BLK_M) + 1;
    const int tiles_n = (n - 1) / (CLUSTER_N * BLK_N) + 1;
#else
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
#endif
#if BATCHED
    const int number = tile % (tiles_m * tiles_n);  // within its matrix
#else
    const int number = tile;
#endif
#if ALONG_M
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
#else
    const int strip_tiles = min(RASTER, tiles_n) * tiles_m;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_n - strip * RASTER);
#endif
    Block block;
#if BATCHED
    block.batch = counts.matrix(tile / (tiles_m * tiles_n));
#endif
#if ALONG_M
    block.m = (strip * RASTER + within % width) * BLK_M;
    block.n = within / width * BLK_N;
#else
    block.n = (strip * RASTER + within % width) * BLK_N;
    block.m = within / width * BLK_M;
#endif
#if CLUSTERED
    block.m = CLUSTER_M * block.m + cluster_rank() % CLUSTER_M * BLK_M;
    block.n = CLUSTER_N * block.n + cluster_rank() / CLUSTER_M * BLK_N;
#endif
    return block;
}
