// Starts the copies of all stages but the last. The predecessor kernel does not write B, whose
// copies are issued before the wait. The first group of copies has all of them.
__device__ __forceinline__ void prologue(unsigned ring, Sources& from) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, from.b);
#if SCALES
        global_to_shared(ring + tile * STAGE_BYTES, from.scales);
#endif
    }
    wait_for_predecessor();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, from.a);
        cp_async_commit();
    }
    launch_dependents();
}
