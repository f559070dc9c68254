    // Reduces what a pass has left.
    __device__ __forceinline__ void reduce(const StagedTile& tile) {
        of_rows.reduce(tile);
        of_columns.reduce(tile);
    }
