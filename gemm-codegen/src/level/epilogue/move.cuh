// The part of the output in a pass, of a warpgroup's from (row0, col0) on: where it begins.
struct Part { int row, col; };
__device__ __forceinline__ Part part_of(int pass, int row0, int col0) {
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#if N_CONTIGUOUS
    return Part{row0 + atom * MMA_M, col0 + band0 * 8};
#else
    return Part{row0 + band0 * 8, col0 + atom * MMA_M};
#endif
}

// Has the copy unit bring what the body reads in a pass.
__device__ __forceinline__ void bring(
    const Slabs& slabs, unsigned place, const Maps& maps, Matrix matrix, Part part) {
    const unsigned fetched = slabs.fetched + place * 8;
    const void* const at = slabs.places + place * PLACE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
#if GUARDED
    mbarrier_arrive_expect(fetched, maps.bytes());
#else
    mbarrier_arrive_expect(fetched, PLACE * sizeof(Staged));
#endif
    maps.fetch(to, matrix, part.row, part.col, fetched);
}

// The mover of a warpgroup, one thread, for a part of the output from (row0, col0) on: has what the
// warpgroup has put into a place stored, and what the body reads PLACES passes later brought there.
__device__ __forceinline__ void move(
    const Slabs& slabs, SlabPlace& place, const Maps& maps, Matrix matrix, int row0, int col0) {
#pragma unroll 1
    for (int pass = -PLACES; pass < PASSES; ++pass, place.advance()) {
        if (pass >= 0) {
            const auto [row, col] = part_of(pass, row0, col0);
            mbarrier_wait(slabs.written + place.number * 8, place.parity);
            shared_to_global(maps.out, slabs.places + place.number * PLACE, matrix, row, col);
            await_reads<0>();
        }
        const int next = pass + PLACES;
        if (next < PASSES) bring(slabs, place.number, maps, matrix, part_of(next, row0, col0));
    }
    place.parity ^= 1;  // it has gone round once more than the places were filled
}
