// Reduces each column of what is stored to a value of each output: a thread reduces the elements
// that it has of OUT_VECTOR columns. Of one output after the other all threads leave these values
// in shared memory, where one thread reduces a column of them.
template <class Of>
struct Columns {
    Of of;
    Reducible own[Of::COUNT][OUT_VECTOR];

    __device__ __forceinline__ void start() {
#pragma unroll
        for (int i = 0; i < Of::COUNT * OUT_VECTOR; ++i) {
            own[i / OUT_VECTOR][i % OUT_VECTOR] = Of::identity(i / OUT_VECTOR);
        }
    }

    __device__ __forceinline__ void take(const Result (&results)[OUT_VECTOR], int valid) {
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
#pragma unroll
            for (int i = 0; i < OUT_VECTOR; ++i) {
                const Reducible element = Of::element(number, results[i]);
                if (i < valid) own[number][i] = Of::combined(number, own[number][i], element);
            }
        }
    }

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
