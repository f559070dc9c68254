// Copies a factor's part of the k-tile at `k0` to a stage.
template <class Tile>
__device__ __forceinline__ void copy_tile(
    Ring ring, unsigned stage, Block block, const typename Tile::Factor& operand, int k0) {
    const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;
    global_to_shared<Tile>(to, operand, block, k0, ring.full_barrier(stage));
}
