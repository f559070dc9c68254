// What the body makes of sums, rounded, of the output that is a matrix; of the others each row is
// reduced. The epilogue tile is a part of the output, whose columns before `first` the pass before
// has had.
struct PutResults {
    const Values& values;
    EpilogueTile tile;
    int first;
    Reductions& reductions;
    template <int COUNT>
    __device__ __forceinline__ void operator()(
        Staged (&elements)[COUNT], const Sum* sums, int row, int col) const {
        Sums<COUNT> taken;
        take_sums(taken, sums);
        Result results[COUNT];
        values.apply(results, taken, tile.row + row, tile.col + col, tile.rows, tile.cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            const int at = tile.col + col + i;
            const bool is_new = STORED_N / 8 % PASS_BANDS == 0 || at >= first;
            reductions.take(results[i], row, is_new && at < tile.cols);
            from_value(elements[i], stored(results[i]));
        }
    }
};
