    // How many of the OUT_VECTOR elements from there on lie inside the output.
    __device__ __forceinline__ int valid(int at_row, int at_col) const {
        return chunk(at_row, at_col).valid;
    }
