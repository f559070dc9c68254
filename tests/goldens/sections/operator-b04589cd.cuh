    template <int COUNT>
    __device__ __forceinline__ void operator()(
        Staged (&elements)[COUNT], const Sum* sums, int row, int col) const {
        Sums<COUNT> taken;
        take_sums(taken, sums);
        Result results[COUNT];
        const Staged* const at = stage + in_epilogue_tile(row, col);
        values.apply(results, taken, at, tile.row + row, tile.col + col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
    }
};
