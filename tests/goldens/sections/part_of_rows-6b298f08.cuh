    // Which partial values those of this pass are: of its rows, and of its columns.
    __device__ __forceinline__ int part_of_rows() const { return col0 / COLS; }
    __device__ __forceinline__ int part_of_columns() const {
        return row0 / (PASSES * STAGED_ROWS) * PASSES + pass;
    }
};
