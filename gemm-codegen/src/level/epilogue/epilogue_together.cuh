// OUT_VECTOR elements of a row that a thread stores: their position in the staging and in the
// output, and how many of them lie inside it.
struct Chunk { int staged_row, staged_col, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(
    int number, int pass, int row0, int col0, int rows, int cols) {
#if PARTS
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / PRODUCTS / OUT_VECTOR;
#else
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / OUT_VECTOR;
#endif
    const int staged_row = number / CHUNKS_PER_ROW;
#if PARTS
    const int of_part = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int staged_col = of_part / PART_N * WARP_N + of_part % PART_N;
#else
    const int staged_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
#endif
    const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                  + pass * PASS_ROWS + staged_row % PASS_ROWS;
#if PARTS
    const int col = col0 + of_part;
#else
    const int col = col0 + staged_col;
#endif
    const bool inside = staged_row < STAGED_ROWS && row < rows && col < cols;
    return Chunk{staged_row, staged_col, row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}

#if SEVERAL
// Stores body(acc) to the block's part of each output, in PASSES passes.
#else
// Stores body(acc) to the block's part of the output, in PASSES passes.
#endif
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. What the
// body reads for TOGETHER chunks is in flight at a time, since each load has the latency of global
// memory. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
#if SEVERAL
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
#else
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
#endif
#if PARTS
    constexpr int CHUNKS = STAGED_ROWS * (STAGED_COLS / PRODUCTS / OUT_VECTOR);
#else
    constexpr int CHUNKS = STAGED_ROWS * (STAGED_COLS / OUT_VECTOR);
#endif
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
                const auto [staged_row, staged_col, row, col, valid] =
                    chunk_of(first + i * CONSUMERS, pass, row0, col0, rows, cols);
                if (valid == 0) continue;
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
                    for (int j = 0; j < OUT_VECTOR; ++j) sums[j] += more[j];
                }
#endif
                Result results[OUT_VECTOR];
                values.apply(results, sums, read[i]);
#if SEVERAL
                outputs.store(results, row, col, valid);
#else
                store<ALIGN_out>(out + row * ld + col, results, valid);
#endif
            }
        }
    }
}
