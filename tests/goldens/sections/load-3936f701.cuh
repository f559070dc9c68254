    __device__ __forceinline__ void load(Sums<OUT_VECTOR>& sums, int at_row, int at_col) const {
        load_sums(sums, staged, chunk(at_row, at_col));
    }
