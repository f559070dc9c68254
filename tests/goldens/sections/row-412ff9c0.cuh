    __device__ __forceinline__ int row(int at) const { return tile().row + at; }
    __device__ __forceinline__ int col(int at) const { return tile().col + at; }
    __device__ __forceinline__ bool has_row(int at) const { return row(at) < tile().rows; }
    __device__ __forceinline__ bool has_column(int at) const {
        return at < COLS && col(at) < tile().cols;
    }
