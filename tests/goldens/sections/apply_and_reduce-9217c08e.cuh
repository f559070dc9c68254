// Stores body(acc) of a staged tile, and reduces it.
__device__ __forceinline__ void apply_and_reduce(
    const StagedTile& tile, const Values& values, const Outputs& outputs,
    Reductions& reductions) {
    const int first = StagedTile::thread() / ROW_THREADS;
    const int at_col = StagedTile::thread() % ROW_THREADS * OUT_VECTOR;
    reductions.start();
    if (first < ROWS_AT_ONCE) {
#pragma unroll 1
        for (int at_row = first; at_row < StagedTile::ROWS; at_row += ROWS_AT_ONCE) {
            const int valid = tile.valid(at_row, at_col);
            if (valid == 0) continue;
            const int row = tile.row(at_row), col = tile.col(at_col);
            Sums<OUT_VECTOR> sums;
            tile.load(sums, at_row, at_col);
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            outputs.store(results, row, col, valid);
            reductions.take(results, valid, tile.at(at_row, at_col));
        }
    }
    StagedTile::sync();  // all sums have been read, and what rows have left is there
    reductions.reduce(tile);
}
