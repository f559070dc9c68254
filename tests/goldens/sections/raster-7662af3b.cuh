// The part of the output that `tile` is. Tiles are those of clusters: each block of one computes
// its part.
// The matrices of a batch follow each other.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / (CLUSTER_M * BLK_M) + 1;
    const int tiles_n = (n - 1) / (CLUSTER_N * BLK_N) + 1;
    const int of_m = cluster_rank() % CLUSTER_M * BLK_M, of_n = cluster_rank() / CLUSTER_M * BLK_N;
    const int matrix_tiles = tiles_m * tiles_n;
    const TileIndex at = in_strips(tile % matrix_tiles, tiles_m, tiles_n);
    return Block{tile / matrix_tiles, CLUSTER_M * at.m * BLK_M + of_m,
                 CLUSTER_N * at.n * BLK_N + of_n};
}
