// Issues the copies of the next k-tile to a stage.
__device__ __forceinline__ void global_to_shared(unsigned stage, Sources& from) {
    global_to_shared(stage, from.a);
    global_to_shared(stage + TileA::BYTES, from.b);
}
