// Stores body(acc) to the block's part of each output, in PASSES passes. A pass is staged in shared
// memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows STAGED_PITCH apart), so that
// each thread then stores OUT_VECTOR elements of one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int chunk = threadIdx.x; chunk < STAGED_ROWS * ROW_CHUNKS; chunk += CONSUMERS) {
            const int staged_row = chunk / ROW_CHUNKS, in_row = chunk % ROW_CHUNKS * OUT_VECTOR;
            const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                          + pass * PASS_ROWS + staged_row % PASS_ROWS;
            const int col = col0 + in_row;
            if (row >= rows || col >= cols) continue;
            const int valid = min(OUT_VECTOR, cols - col);
            Sums<OUT_VECTOR> sums;
            load_sums(sums, staged + staged_row * STAGED_PITCH, in_row);
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            outputs.store(results, row, col, valid);
        }
    }
}
