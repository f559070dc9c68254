    __device__ __forceinline__ Sum* at(int at_row, int at_col) const {
        return staged + at_row * STAGED_PITCH + staged_column(at_col);
    }
