// Stores body(acc) to the warpgroup's part of each output that is a matrix, in PASSES passes, and
// reduces it for the others. A pass stages sums in an epilogue tile, so that each thread then has
// OUT_VECTOR elements of one row, of the same columns in all rows. Rows and columns are the
// output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    Reductions reductions, int row0, int col0, int rows, int cols) {
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
    // A warpgroup whose part lies outside is not counted.
    if (row0 >= rows || col0 >= cols) return;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        const StagedTile tile = {of_pass, pass, row0, col0, rows, cols};
        stage_sums(of_pass, acc, pass);
        StagedTile::sync();
        apply_and_reduce(tile, values, outputs, reductions);
    }
    reductions.finish(staged, row0, col0, rows, cols);
}
