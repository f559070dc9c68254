// ROW_THREADS threads have a row of a staged tile, ROWS_AT_ONCE rows at a time: as many as there
// are threads for, and as have room there for a value of each column.
__device__ constexpr int smaller(int a, int b) { return a < b ? a : b; }
constexpr int ROW_THREADS = ROW_CHUNKS;
constexpr int ROWS_AT_ONCE =
    smaller(smaller(StagedTile::THREADS / ROW_THREADS, StagedTile::ROWS),
            StagedTile::BYTES / (StagedTile::COLS * int(sizeof(Reducible))));
