    __device__ __forceinline__ int row(int at) const {
        return row0 + at / PASS_ROWS * WARP_ROWS + pass * PASS_ROWS + at % PASS_ROWS;
    }
