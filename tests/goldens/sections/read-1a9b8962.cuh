    // Values from `col` on; elements from `cols` on are not accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ Elements<V, COUNT> read(int, int col, int, int cols) const {
        Elements<V, COUNT> values;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            values.of[i] = col + i < cols ? to_value(from[col + i]) : V(0);
        }
        return values;
    }
};
