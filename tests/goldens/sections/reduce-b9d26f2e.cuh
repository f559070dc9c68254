
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
