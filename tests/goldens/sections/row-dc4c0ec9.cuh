    __device__ __forceinline__ int row(int at) const { return tile().row + at; }
    __device__ __forceinline__ int col(int at) const { return tile().col + at; }
    __device__ __forceinline__ bool has_row(int at) const { return row(at) < tile().rows; }
    // How many of the OUT_VECTOR elements from there on lie inside the output.
    __device__ __forceinline__ int valid(int at_row, int at_col) const {
        return chunk(at_row, at_col).valid;
    }
