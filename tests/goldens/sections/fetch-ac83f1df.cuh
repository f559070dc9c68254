    // Issues the copies of the part of each matrix from (row, col) on to a place.
    __device__ __forceinline__ void fetch(
        unsigned place, int row, int col, unsigned barrier) const {
        global_to_slab(residual, place, row, col, barrier);
    }
};
