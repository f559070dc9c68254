    __device__ __forceinline__ Tiles(int m, int n)
        : m(m), n(n), tile(blockIdx.x), count(((m - 1) / BLK_M + 1) * ((n - 1) / BLK_N + 1)) {}
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, int(tile)); }
    // Whether there is a next one.
    __device__ __forceinline__ bool left() const { return tile < count; }
    // Leaves it out.
    __device__ __forceinline__ void skip() { tile += gridDim.x; }
    // Takes it, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!left()) return false;
        block = raster(m, n, int(tile));
        skip();
        return true;
    }
};
