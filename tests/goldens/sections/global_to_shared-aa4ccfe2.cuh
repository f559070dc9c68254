// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
    // Of a tile that several blocks of a cluster multiply, each copies a part of the rows to all.
    if constexpr (Tile::SHARERS > 1) {
        constexpr int ROWS = Tile::ROWS / Tile::SHARERS;
        static_assert(ROWS * Tile::SHARERS == Tile::ROWS, "a part has whole rows");
        const int first = part_of<Tile>() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
    if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
    else copy_box(to, operand, box, barrier);
}
