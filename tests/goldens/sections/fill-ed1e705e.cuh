    // Brings COUNT elements of each matrix to its epilogue tile.
    template <int COUNT>
    __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {
        fill_tile<COUNT>(at, residual, row, col, valid);
    }
