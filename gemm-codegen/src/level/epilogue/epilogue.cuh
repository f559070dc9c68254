#if SEVERAL
// Stores body(acc) to the block's part of each output, in PASSES passes.
#else
// Stores body(acc) to the block's part of the output, in PASSES passes.
#endif
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
#if SEVERAL
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
#else
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
#endif
#if PARTS
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / PRODUCTS / OUT_VECTOR;
#else
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / OUT_VECTOR;
#endif
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int chunk = threadIdx.x; chunk < STAGED_ROWS * CHUNKS_PER_ROW; chunk += CONSUMERS) {
            const int staged_row = chunk / CHUNKS_PER_ROW;
#if PARTS
            const int of_part = chunk % CHUNKS_PER_ROW * OUT_VECTOR;
            const int staged_col = of_part / PART_N * WARP_N + of_part % PART_N;
#else
            const int staged_col = chunk % CHUNKS_PER_ROW * OUT_VECTOR;
#endif
            const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                          + pass * PASS_ROWS + staged_row % PASS_ROWS;
#if PARTS
            const int col = col0 + of_part;
#else
            const int col = col0 + staged_col;
#endif
            if (row >= rows || col >= cols) continue;
            const int valid = min(OUT_VECTOR, cols - col);
#if PARTS
            Sum sums[PRODUCTS][OUT_VECTOR];
            load_sums(sums, staged + staged_row * STAGED_PITCH, staged_col);
#else
            Sum sums[OUT_VECTOR];
#if EXCHANGED
            const Sum* const from = staged + staged_row * STAGED_PITCH;
            load_staged(sums, from, staged_col);
#else
            const Sum* const from = staged + staged_row * STAGED_PITCH + staged_col;
            load<16>(sums, from, OUT_VECTOR);
#endif
#pragma unroll
            for (int other = 1; other < WARPS_K; ++other) {
                Sum more[OUT_VECTOR];
#if EXCHANGED
                load_staged(more, from + other * STAGED_SUMS, staged_col);
#else
                load<16>(more, from + other * STAGED_SUMS, OUT_VECTOR);
#endif
#pragma unroll
                for (int i = 0; i < OUT_VECTOR; ++i) sums[i] += more[i];
            }
#endif
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
#if SEVERAL
            outputs.store(results, row, col, valid);
#else
            store<ALIGN_out>(out + row * ld + col, results, valid);
#endif
        }
    }
}
