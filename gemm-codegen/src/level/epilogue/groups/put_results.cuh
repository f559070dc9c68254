// What the body makes of sums, rounded. The epilogue tile is a part of the output.
struct PutResults {
    const Values& values;
    EpilogueTile tile;
    template <int COUNT>
    __device__ __forceinline__ void operator()(
        Staged (&elements)[COUNT], const Sum* sums, int row, int col) const {
        Sums<COUNT> taken;
        take_sums(taken, sums);
        Result results[COUNT];
        values.apply(results, taken, tile.row + row, tile.col + col, tile.rows, tile.cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
    }
};
