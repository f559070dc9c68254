
    // Row and column of the thread's first copy in the tile.
    static __device__ __forceinline__ int row() { return int(threadIdx.x) / THREAD_COLS; }
    static __device__ __forceinline__ int col() { return int(threadIdx.x) % THREAD_COLS * VECTOR; }

    __device__ __forceinline__ void advance() {
        from += Tile::COLS;  // of a tile pairs of numbers along k, or scales
        k -= Tile::COLS;
    }
};
