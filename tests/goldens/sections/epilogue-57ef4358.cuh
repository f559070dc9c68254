// Stores body(acc) to the block's part of the output, in PASSES passes.
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / PRODUCTS / OUT_VECTOR;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int chunk = threadIdx.x; chunk < STAGED_ROWS * CHUNKS_PER_ROW; chunk += CONSUMERS) {
            const int staged_row = chunk / CHUNKS_PER_ROW;
            const int of_part = chunk % CHUNKS_PER_ROW * OUT_VECTOR;
            const int staged_col = of_part / PART_N * WARP_N + of_part % PART_N;
            const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                          + pass * PASS_ROWS + staged_row % PASS_ROWS;
            const int col = col0 + of_part;
            if (row >= rows || col >= cols) continue;
            const int valid = min(OUT_VECTOR, cols - col);
            Sum sums[PRODUCTS][OUT_VECTOR];
            load_sums(sums, staged + staged_row * STAGED_PITCH, staged_col);
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}
