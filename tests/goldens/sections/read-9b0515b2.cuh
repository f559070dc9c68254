    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        fetch<ALIGN_residual>(read.residual, residual + row * ld_residual + col, valid);
    }
