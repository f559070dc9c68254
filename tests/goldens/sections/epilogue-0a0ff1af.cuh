// Stores body(acc) to the block's part of each output, in PASSES passes. A pass is staged in shared
// memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows STAGED_PITCH apart), so that
// each thread then stores OUT_VECTOR elements of one row. What the body reads for TOGETHER chunks
// is in flight at a time, since each load has the latency of global memory. Rows and columns are
// the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS = STAGED_ROWS * ROW_CHUNKS;
    constexpr int EACH = (CHUNKS - 1) / CONSUMERS + 1, TOGETHER = EACH < 4 ? EACH : 4;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int first = threadIdx.x; first < CHUNKS; first += TOGETHER * CONSUMERS) {
            Values::Read<OUT_VECTOR> read[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const Chunk chunk =
                    chunk_of(first + i * CONSUMERS, pass, row0, col0, rows, cols);
                if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const auto [staged_row, in_row, row, col, valid] =
                    chunk_of(first + i * CONSUMERS, pass, row0, col0, rows, cols);
                if (valid == 0) continue;
                Sums<OUT_VECTOR> sums;
                load_sums(sums, staged + staged_row * STAGED_PITCH, in_row);
                Result results[OUT_VECTOR];
                values.apply(results, sums, read[i]);
                outputs.store(results, row, col, valid);
            }
        }
    }
}
