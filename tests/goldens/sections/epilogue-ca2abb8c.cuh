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
