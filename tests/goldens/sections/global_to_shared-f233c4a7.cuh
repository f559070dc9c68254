// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    static_assert(Tile::COLS <= 256 && Tile::ROWS <= 256, "a tile is a box");
    auto box = Tile::box(block, k0);
    move_to_part<Tile>(to, box);
    copy_part<Tile>(to, operand, box, barrier);
}
