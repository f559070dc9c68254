    __device__ __forceinline__ Staged* at(int at_row, int at_col) const {
        return staged + in_epilogue_tile(at_row, at_col);
    }
