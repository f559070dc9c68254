// Has the copy unit bring what the body reads of an epilogue tile.
__device__ __forceinline__ void load_stage(
    const EpilogueRing& ring, unsigned stage, const Maps& maps, int matrix, EpilogueTile tile) {
    const unsigned loaded = ring.loaded_barrier(stage);
    const void* const at = ring.stages + stage * EPILOGUE_STAGE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(loaded, maps.bytes());
    maps.load(to, matrix, tile.row, tile.col, loaded);
}
