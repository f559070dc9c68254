    __device__ __forceinline__ void load(Sums<OUT_VECTOR>& sums, int at_row, int at_col) const {
        load_sums(sums, staged + at_row * STAGED_PITCH, at_col);
    }
