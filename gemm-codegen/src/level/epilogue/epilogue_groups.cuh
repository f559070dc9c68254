// OUT_VECTOR elements of a row that a thread stores: their place in a slab and in the output, and
// how many of them lie inside it.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, int row0, int col0, int rows, int cols) {
#if SUMS_OF_PARTS
    constexpr int CHUNKS_PER_ROW = PASS_BANDS * 8 / OUT_VECTOR;
#else
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
#endif
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = row0 + slab_row, col = col0 + slab_col;
    const bool inside = slab_row < SLAB_ROWS && row < rows && col < cols;
    return Chunk{in_slab(slab_row, slab_col), row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}

#if SUMS_OF_PARTS
// Loads the sums of each product for the elements of a chunk.
__device__ __forceinline__ void load_sums(
    Sum (&sums)[PRODUCTS][OUT_VECTOR], const Staged* slab, int number) {
    constexpr int CHUNKS_PER_ROW = PASS_BANDS * 8 / OUT_VECTOR;
    const int row = number / CHUNKS_PER_ROW, col = number % CHUNKS_PER_ROW * OUT_VECTOR;
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        load<16>(sums[product], slab + in_slab(row, product * PASS_BANDS * 8 + col), OUT_VECTOR);
    }
}

#endif
#if TOGETHER
// Reads what the body takes for COUNT chunks from `first` on.
template <int COUNT>
__device__ __forceinline__ void read(
    Values::Read<OUT_VECTOR> (&read)[COUNT], const Values& values, int first,
    int row0, int col0, int rows, int cols) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const Chunk chunk = chunk_of(first + i * 128, row0, col0, rows, cols);
        if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);
    }
}

#endif
#if SEVERAL
// Stores body(acc) to the warpgroup's part of each output, in PASSES passes.
#else
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
#endif
#if RESULTS
#if BOXES
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
#else
// Each is staged in a slab, as results, so that each thread then stores OUT_VECTOR elements of one
// row. Rows and columns are the output's own.
#endif
#else
#if TOGETHER
// Each is staged in a slab, as sums, so that each thread then stores OUT_VECTOR elements of one
// row. What the body reads for FEW chunks is on its way meanwhile: it comes from far. Rows and
// columns are the output's own.
#else
// Each is staged in a slab, as sums, so that each thread then stores OUT_VECTOR elements of one
// row. Rows and columns are the output's own.
#endif
#endif
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
#if SEVERAL
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
#else
#if BOXES
    Out* out, long long ld, const TensorMap& map, Matrix matrix,
    int row0, int col0, int rows, int cols) {
#else
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
#endif
#endif
#if SUMS_OF_PARTS
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS;
    constexpr int CHUNKS = SLAB_ROWS * PASS_BANDS * 8 / OUT_VECTOR;
#else
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
#endif
#if TOGETHER
    constexpr int EACH = (CHUNKS - 1) / 128 + 1, FEW = EACH < 4 ? EACH : 4;
#endif
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
#if BOXES
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
#endif
#if !APART
    consumers_sync();  // the ring has been read
#endif
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
#if BOXES
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#else
        const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
#endif
#if N_CONTIGUOUS
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
#else
        const int first_row = row0 + band0 * 8, first_col = col0 + atom * MMA_M;
        const int last_row = min(rows, row0 + STORED_N), last_col = cols;
#endif
        Staged* const slab = slabs + pass % SLABS * SLAB;
#if BOXES
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) group_sync();  // the slab has been read
#else
#if APART
        if (pass == 0) group_sync();  // the slabs of the tile before have been read
#endif
#endif
#if TOGETHER
        Values::Read<OUT_VECTOR> of_chunks[FEW];
        read(of_chunks, values, thread, first_row, first_col, last_row, last_col);
#endif
#if RESULTS
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
#else
        stage(slab, acc, pass);
#endif
#if BOXES
        if (boxes) fence_to_copies();
#endif
        group_sync();  // which also says that the slab before has been read
#if BOXES
        if (boxes) {
            if (thread == 0) shared_to_global(map, slab, matrix, first_row, first_col);
            continue;
        }
#endif
#if TOGETHER
#pragma unroll 1
        for (int first = thread; first < CHUNKS; first += FEW * 128) {
            if (first != thread) {
                read(of_chunks, values, first, first_row, first_col, last_row, last_col);
            }
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                const auto [from, row, col, valid] =
                    chunk_of(first + i * 128, first_row, first_col, last_row, last_col);
                if (valid == 0) continue;
#if SUMS_OF_PARTS
                Sum sums[PRODUCTS][OUT_VECTOR];
                load_sums(sums, slab, first + i * 128);
#else
                Sum sums[OUT_VECTOR];
                load<16>(sums, slab + from, OUT_VECTOR);
#endif
                Result results[OUT_VECTOR];
                values.apply(results, sums, of_chunks[i]);
#if SEVERAL
                outputs.store(results, row, col, valid);
#else
                store<ALIGN_out>(out + row * ld + col, results, valid);
#endif
            }
        }
#else
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
#if RESULTS
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, slab + from, OUT_VECTOR);
#else
#if SUMS_OF_PARTS
            Sum sums[PRODUCTS][OUT_VECTOR];
            load_sums(sums, slab, chunk);
#else
            Sum sums[OUT_VECTOR];
            load<16>(sums, slab + from, OUT_VECTOR);
#endif
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
#endif
#if SEVERAL
            outputs.store(results, row, col, valid);
#else
            store<ALIGN_out>(out + row * ld + col, results, valid);
#endif
        }
#endif
    }
}
