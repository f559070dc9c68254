// Reduces each row of what is stored to a value of each output: threads leave what OUT_VECTOR
// elements are reduced to in place of their sums, and one thread reduces a row of these.
template <class Of>
struct Rows {
    static_assert(Of::COUNT * sizeof(Reducible) <= OUT_VECTOR * sizeof(Sum),
                  "what elements are reduced to has the place of their sums");
    static_assert(StagedTile::ROW_PASSES == 1 || StagedTile::ROWS <= StagedTile::THREADS,
                  "a thread keeps its row");
    Of of;
    Reducible carried[Of::COUNT];  // from the passes before that have the same rows

    __device__ __forceinline__ void take(
        const Result (&results)[OUT_VECTOR], int valid, Sum* place) const {
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            Reducible reduced = Of::identity(number);
#pragma unroll
            for (int i = 0; i < OUT_VECTOR; ++i) {
                const Reducible element = Of::element(number, results[i]);
                if (i < valid) reduced = Of::combined(number, reduced, element);
            }
            reinterpret_cast<Reducible*>(place)[number] = reduced;
        }
    }

    __device__ __forceinline__ void reduce(const StagedTile& tile) {
        const int turn = tile.pass % StagedTile::ROW_PASSES;
#pragma unroll 1
        for (int at_row = StagedTile::thread(); at_row < StagedTile::ROWS;
             at_row += StagedTile::THREADS) {
#pragma unroll
            for (int number = 0; number < Of::COUNT; ++number) {
                Reducible total = turn == 0 ? Of::identity(number) : carried[number];
#pragma unroll 4
                for (int chunk = 0; chunk < ROW_CHUNKS; ++chunk) {
                    if (tile.valid(at_row, chunk * OUT_VECTOR) == 0) break;
                    const Sum* const place = tile.at(at_row, chunk * OUT_VECTOR);
                    total = Of::combined(
                        number, total, reinterpret_cast<const Reducible*>(place)[number]);
                }
                carried[number] = total;
                if (turn == StagedTile::ROW_PASSES - 1 && tile.has_row(at_row)) {
                    of.partials.put(number, tile.part_of_rows(), tile.row(at_row), total);
                }
            }
        }
    }
};
