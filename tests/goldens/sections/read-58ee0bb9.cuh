    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        read.scale = scale[row];
        fetch<ALIGN_bias>(read.bias, bias + col, valid);
        fetch<ALIGN_previous>(read.previous, previous + row * ld_previous + col, valid);
    }
