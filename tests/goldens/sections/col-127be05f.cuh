    __device__ __forceinline__ int col(int at) const { return col0 + at; }
    __device__ __forceinline__ bool has_row(int at) const { return row(at) < rows; }
    __device__ __forceinline__ bool has_column(int at) const { return at < COLS && col(at) < cols; }
    // How many of the OUT_VECTOR elements from there on lie inside the output.
    __device__ __forceinline__ int valid(int at_row, int at_col) const {
        return row(at_row) < rows ? min(max(cols - col(at_col), 0), OUT_VECTOR) : 0;
    }
