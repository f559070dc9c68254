    // Which partial values those of this pass are: of its rows, and of its columns.
    __device__ __forceinline__ int part_of_rows() const { return col0 / STORED_N; }
    __device__ __forceinline__ int part_of_columns() const { return tile().row / MMA_M; }
};
