    __device__ __forceinline__ Tiles(int m, int n, int matrices)
        : m(m), n(n), tile(blockIdx.x / CLUSTER),
          count(((m - 1) / (CLUSTER_M * BLK_M) + 1) * ((n - 1) / (CLUSTER_N * BLK_N) + 1)
                * matrices) {}
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, int(tile)); }
    __device__ __forceinline__ bool has_next() const { return tile < count; }
    // Leaves the next one out.
    __device__ __forceinline__ void advance() { tile += gridDim.x / CLUSTER; }
    // Takes the next one, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!has_next()) return false;
        block = raster(m, n, int(tile));
        advance();
        return true;
    }
};
