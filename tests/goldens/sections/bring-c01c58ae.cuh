// Has the copy unit bring what the body reads in a pass.
__device__ __forceinline__ void bring(
    const Slabs& slabs, unsigned place, const Maps& maps, Part part) {
    const unsigned fetched = slabs.fetched + place * 8;
    const void* const at = slabs.places + place * PLACE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(fetched, PLACE * sizeof(Staged));
    maps.fetch(to, part.row, part.col, fetched);
}
