// Starts the copies of all stages but the last. K-tiles past the end of k are zeros.
__device__ __forceinline__ void prologue(unsigned ring, Sources& from) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, from);
        cp_async_commit();
    }
}
