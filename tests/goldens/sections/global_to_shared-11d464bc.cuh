// Copies the tile of a block at k0 to shared memory, a box for each panel; `barrier` counts the
// bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
    move_to_part<Tile>(to, box);
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
        copy_part<Tile>(to, operand, box, barrier);
        to += Tile::PANEL_BYTES, box.col += Tile::PANEL_COLS;
    }
}
