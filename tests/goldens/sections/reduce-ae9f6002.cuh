
    // left(ROWS_AT_ONCE, COLS)
    __device__ __forceinline__ void reduce(const StagedTile& tile) const {
        Reducible* const left = reinterpret_cast<Reducible*>(tile.staged);
        const int row = StagedTile::thread() / ROW_THREADS;
        const int col = StagedTile::thread() % ROW_THREADS * OUT_VECTOR;
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            StagedTile::sync();  // what was there has been read
            if (row < ROWS_AT_ONCE) {
#pragma unroll
                for (int i = 0; i < OUT_VECTOR; ++i) {
                    left[row * StagedTile::COLS + col + i] = own[number][i];
                }
            }
            StagedTile::sync();
#pragma unroll 1
            for (int at_col = StagedTile::thread(); tile.has_column(at_col);
                 at_col += StagedTile::THREADS) {
                Reducible total = Of::identity(number);
#pragma unroll 4
                for (int at_row = 0; at_row < ROWS_AT_ONCE; ++at_row) {
                    const Reducible value = left[at_row * StagedTile::COLS + at_col];
                    total = Of::combined(number, total, value);
                }
                of.partials.put(number, tile.part_of_columns(), tile.col(at_col), total);
            }
        }
    }
};
