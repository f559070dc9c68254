// Loads a warp's fragments of the k-steps of A and of B that a step multiplies from a stage.
__device__ __forceinline__ void load_fragments(
    unsigned (&a)[TileA::REGISTERS], unsigned (&b)[TileB::REGISTERS],
    unsigned stage, Warp warp, int step) {
    const Steps steps = steps_of(step);
    shared_to_register<TileA>(a, stage, warp.m, warp.k + steps.a * MMA_K);
    shared_to_register<TileB>(b, stage + TileA::BYTES, warp.n, warp.k + steps.b * MMA_K);
}
