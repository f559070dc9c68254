// Stores body(acc) to the block's part of each output that is a matrix, in PASSES passes, and
// reduces it for the others. A pass is staged in shared memory, so that each thread then has
// OUT_VECTOR elements of one row, of the same columns in all rows. Rows and columns are the
// output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    const Outputs& outputs, Reductions reductions, int row0, int col0, int rows, int cols) {
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) StagedTile::sync();  // the previous pass has been read
        const StagedTile tile = {staged, pass, row0, col0, rows, cols};
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        StagedTile::sync();
        apply_and_reduce(tile, values, outputs, reductions);
    }
    reductions.finish(staged, row0, col0, rows, cols);
}
