    // Issues the copies of the part of each matrix from (row, col) on to a stage.
    __device__ __forceinline__ void load(
        unsigned stage, int row, int col, unsigned barrier) const {
        global_to_tile(residual, stage, row, col, barrier);
    }
};
