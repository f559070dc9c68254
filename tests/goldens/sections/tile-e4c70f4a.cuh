    __device__ __forceinline__ EpilogueTile tile() const {
        return epilogue_tile(pass, row0, col0, rows, cols);
    }
