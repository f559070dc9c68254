// Stores body(acc) to the warpgroup's part of each output, in PASSES passes. Each stages sums in an
// epilogue tile, so that each thread then stores OUT_VECTOR elements of one row. Rows and columns
// are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    int row0, int col0, int rows, int cols) {
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        stage_sums(of_pass, acc, pass);
        warpgroup_sync();  // which also says that the tile before has been read
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            Sums<OUT_VECTOR> sums;
            load_sums(sums, of_pass, chunk);
            Result results[OUT_VECTOR];
            values.apply(results, sums, chunk.row, chunk.col, chunk.valid);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
}
