// Starts the copies of all stages but the last.
#if A_EARLY
// The predecessor kernel does not write A, whose copies are issued before the wait.
#else
// The predecessor kernel does not write B, whose copies are issued before the wait.
#endif
// The first group of copies has all of them.
__device__ __forceinline__ void prologue(
#if PARTS
    unsigned ring, Source<TileA>& source_a, SourcesOfB<0>& source_b) {
#else
    unsigned ring, Source<TileA>& source_a, Source<TileB>& source_b) {
#endif
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
#if A_EARLY
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
#else
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
#endif
    }
    wait_for_predecessor();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
#if A_EARLY
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
#else
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
#endif
        cp_async_commit();
    }
    launch_dependents();
}
