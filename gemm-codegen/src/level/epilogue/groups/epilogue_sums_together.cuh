// Reads what the body takes for COUNT chunks from `first` on.
template <int COUNT>
__device__ __forceinline__ void read(
    Values::Read<OUT_VECTOR> (&read)[COUNT], const Values& values, int first, EpilogueTile tile) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const Chunk chunk = chunk_of(first + i * 128, tile);
        if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);
    }
}

// Stores body(acc) to the warpgroup's part of each output, in PASSES passes. Each stages sums in an
// epilogue tile, so that each thread then stores OUT_VECTOR elements of one row. What the body
// reads for FEW chunks is on its way meanwhile: it comes from far. Rows and columns are the
// output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    int row0, int col0, int rows, int cols) {
    constexpr int EACH = (CHUNKS - 1) / 128 + 1, FEW = EACH < 4 ? EACH : 4;
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        Values::Read<OUT_VECTOR> of_chunks[FEW];
        read(of_chunks, values, thread, tile);
        stage_sums(of_pass, acc, pass);
        warpgroup_sync();  // which also says that the tile before has been read
#pragma unroll 1
        for (int first = thread; first < CHUNKS; first += FEW * 128) {
            if (first != thread) read(of_chunks, values, first, tile);
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                const Chunk chunk = chunk_of(first + i * 128, tile);
                if (chunk.valid == 0) continue;
                Sums<OUT_VECTOR> sums;
                load_sums(sums, of_pass, chunk);
                Result results[OUT_VECTOR];
                values.apply(results, sums, of_chunks[i]);
                outputs.store(results, chunk.row, chunk.col, chunk.valid);
            }
        }
    }
}
