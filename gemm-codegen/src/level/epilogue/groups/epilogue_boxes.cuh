// Stores body(acc) to the warpgroup's part of the output, in PASSES passes. Each stages results in
// an epilogue tile. The copy unit stores it where rows are whole numbers of 16 bytes, in which it
// counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
#if REDUCES
    Reductions reductions,
#endif
    const TensorMap& map, Matrix matrix, int row0, int col0, int rows, int cols) {
    constexpr bool EVEN = PASSES % EPILOGUE_TILES == 0;  // the next tile begins with the first
    const bool boxes = OUT_VECTOR * int(sizeof(Out)) == 16 && cols % OUT_VECTOR == 0;
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<EPILOGUE_TILES - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) warpgroup_sync();  // the epilogue tile has been read
#if REDUCES
        const int of_atom = pass % ATOM_PASSES;
        if (of_atom == 0) reductions.start();
        const int first = col0 + of_atom * PASS_BANDS * 8;
        stage(of_pass, acc, pass, PutResults{values, tile, first, reductions});
        if (of_atom == ATOM_PASSES - 1) reductions.put(tile.row, col0 / STORED_N);
#else
        stage(of_pass, acc, pass, PutResults{values, tile});
#endif
        if (boxes) fence_proxy_async();
        warpgroup_sync();  // which also says that the tile before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, of_pass, matrix, tile.row, tile.col);
            continue;
        }
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, of_pass + chunk.staged, OUT_VECTOR);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
#if REDUCES
    finish_rows(reductions.of, row0, col0, cols);
#endif
}
