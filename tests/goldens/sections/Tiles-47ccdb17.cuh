    __device__ __forceinline__ Tiles(int m, int n, Counts counts, int matrices)
        : m(m), n(n), counts(counts), tile(blockIdx.x / CLUSTER),
          count(((m - 1) / (CLUSTER_M * BLK_M) + 1) * ((n - 1) / (CLUSTER_N * BLK_N) + 1)
                * matrices) {}
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, counts, int(tile)); }
    // Whether there is a next one.
    __device__ __forceinline__ bool left() const { return tile < count; }
    // Leaves it out.
    __device__ __forceinline__ void skip() { tile += gridDim.x / CLUSTER; }
    // Takes it, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!left()) return false;
        block = raster(m, n, counts, int(tile));
        skip();
        return true;
    }
};
