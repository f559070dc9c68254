    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        scale.read(read.scale, row, col, valid);
        bias.read(read.bias, row, col, valid);
        previous.read(read.previous, row, col, valid);
    }
