// Starts the copies of all stages but one. The grid in front does not write B, whose tiles are on
// their way before that grid has ended; the first group of copies has all of them.
__device__ __forceinline__ void prologue(
    unsigned ring, Source<TileA>& source_a, Source<TileB>& source_b) {
    constexpr unsigned STAGE_BYTES = TileA::BYTES + TileB::BYTES;
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
    }
    wait_for_grid_in_front();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
        cp_async_commit();
    }
    start_next_grid();
}
