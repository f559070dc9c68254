#if CLUSTERED
// The tiles of a cluster's blocks, as far apart as there are clusters: it walks over them.
#else
// The tiles of a block, as far apart as there are blocks: it walks over them.
#endif
struct Tiles {
    int m, n;
    Counts counts;
    unsigned tile, count;
#if BATCHED
    __device__ __forceinline__ Tiles(int m, int n, Counts counts, int matrices)
#if CLUSTERED
        : m(m), n(n), counts(counts), tile(blockIdx.x / CLUSTER),
          count(((m - 1) / (CLUSTER_M * BLK_M) + 1) * ((n - 1) / (CLUSTER_N * BLK_N) + 1)
                * matrices) {}
#else
        : m(m), n(n), counts(counts), tile(blockIdx.x),
          count(((m - 1) / BLK_M + 1) * ((n - 1) / BLK_N + 1) * matrices) {}
#endif
#else
    __device__ __forceinline__ Tiles(int m, int n)
#if CLUSTERED
        : m(m), n(n), tile(blockIdx.x / CLUSTER),
          count(((m - 1) / (CLUSTER_M * BLK_M) + 1) * ((n - 1) / (CLUSTER_N * BLK_N) + 1)) {}
#else
        : m(m), n(n), tile(blockIdx.x), count(((m - 1) / BLK_M + 1) * ((n - 1) / BLK_N + 1)) {}
#endif
#endif
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, counts, int(tile)); }
    // Whether there is a next one.
    __device__ __forceinline__ bool left() const { return tile < count; }
    // Leaves it out.
#if CLUSTERED
    __device__ __forceinline__ void skip() { tile += gridDim.x / CLUSTER; }
#else
    __device__ __forceinline__ void skip() { tile += gridDim.x; }
#endif
    // Takes it, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!left()) return false;
        block = raster(m, n, counts, int(tile));
        skip();
        return true;
    }
};
