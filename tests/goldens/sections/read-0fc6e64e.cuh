    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        bias.read(read.bias, row, col, valid);
        out.read(read.out, row, col, valid);
    }
