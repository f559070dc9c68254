    // Whether the thread has a copy `row` rows below its first one.
    static __device__ __forceinline__ bool in_tile(int row) {
        return (Tile::ROWS % S::THREAD_ROWS == 0 || S::row() + row < Tile::ROWS)
            && (THREADS % S::THREAD_COLS == 0 || S::row() < S::THREAD_ROWS);
    }
};
