// Issues the copies of the next k-tile's scales to a stage.
__device__ __forceinline__ void global_to_shared(unsigned stage, SourceScales& from) {
    global_to_shared(stage + TileScalesB::STAGE_OFFSET, from.scales_b);
    global_to_shared(stage + TileOffsetsB::STAGE_OFFSET, from.offsets_b);
}
