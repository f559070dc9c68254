// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, const TensorMap& map, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
    consumers_sync();  // the ring has been read
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
        Staged* const slab = slabs + pass % SLABS * SLAB;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) group_sync();  // the slab has been read
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
        if (boxes) fence_to_copies();
        group_sync();  // which also says that the slab before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, slab, first_row, first_col);
            continue;
        }
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, slab + from, OUT_VECTOR);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}
