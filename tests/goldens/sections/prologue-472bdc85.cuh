// Starts the copies of all stages but the last. K-tiles past the end of k are zeros.
__device__ __forceinline__ void prologue(
    unsigned ring, SourceA& source_a, SourceB& source_b, SourceScales& source_scales) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
        global_to_shared(ring + tile * STAGE_BYTES, source_scales);
        cp_async_commit();
    }
}
