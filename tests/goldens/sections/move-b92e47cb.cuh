// The mover of a warpgroup, one thread, for a part of the output from (row0, col0) on: has what the
// warpgroup has put into a place stored, and what the body reads PLACES passes later brought there.
__device__ __forceinline__ void move(
    const Slabs& slabs, SlabPlace& place, const Maps& maps, int row0, int col0) {
#pragma unroll 1
    for (int pass = -PLACES; pass < PASSES; ++pass, place.advance()) {
        if (pass >= 0) {
            const auto [row, col] = part_of(pass, row0, col0);
            mbarrier_wait(slabs.written + place.number * 8, place.parity);
            shared_to_global(maps.out, slabs.places + place.number * PLACE, row, col);
            await_reads<0>();
        }
        const int next = pass + PLACES;
        if (next < PASSES) bring(slabs, place.number, maps, part_of(next, row0, col0));
    }
    place.parity ^= 1;  // it has gone round once more than the places were filled
}
