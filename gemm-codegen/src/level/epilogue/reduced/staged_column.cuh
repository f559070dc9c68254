// Where a column of the output is staged.
__device__ __forceinline__ int staged_column(int col) { return col; }
