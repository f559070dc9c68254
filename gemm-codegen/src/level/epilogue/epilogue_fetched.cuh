// OUT_VECTOR elements of a row of a slab that a thread moves: their place in it and in the output,
// and how many of them lie inside that.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, Part part, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = part.row + slab_row, col = part.col + slab_col;
    const int valid = row < rows ? min(max(cols - col, 0), OUT_VECTOR) : 0;
    return Chunk{in_slab(slab_row, slab_col), row, col, valid};
}

// Brings what the body reads where the copy unit does not.
__device__ __forceinline__ void fill(
    Staged* place, const Values& values, Part part, int rows, int cols) {
#pragma unroll 4
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [to, row, col, valid] = chunk_of(chunk, part, rows, cols);
        values.fill<OUT_VECTOR>(place + to, row, col, valid);
    }
}

// Stores results where the copy unit does not. A thread stores the elements that it has brought,
// one chunk after the other: sums leave few registers.
__device__ __forceinline__ void slab_to_global(
    Out* out, long long ld, const Staged* slab, Part part, int rows, int cols) {
#pragma unroll 1
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [from, row, col, valid] = chunk_of(chunk, part, rows, cols);
        if (valid == 0) continue;
        __align__(16) Staged results[OUT_VECTOR];
        fetch<16>(results, slab + from, OUT_VECTOR);
        store<ALIGN_out>(out + row * ld + col, results, valid);
    }
}

// Puts body(acc) into slabs, in PASSES passes, over what the body reads; the mover has them stored.
// Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, const Slabs& slabs, SlabPlace& place, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    const bool copied = are_moved(cols);
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass, place.advance()) {
        const Part part = part_of(pass, row0, col0);
        Staged* const slab = slabs.places + place.number * PLACE;
        if (copied) {
            mbarrier_wait(slabs.fetched + place.number * 8, place.parity);
        } else {
            fill(slab, values, part, rows, cols);
            group_sync();
        }
        stage(slab, acc, pass, values, part.row, part.col, rows, cols);
        if (copied) {
            fence_to_copies();
            __syncwarp();
            if (threadIdx.x % 32 == 0) mbarrier_arrive(slabs.written + place.number * 8);
        } else {
            group_sync();
            slab_to_global(out, ld, slab, part, rows, cols);
        }
    }
}
