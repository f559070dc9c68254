#if PANELS
// Copies the tile of a block at k0 to shared memory, a box for each panel; `barrier` counts the
// bytes.
#else
// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
#endif
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
#if CLUSTERED
    // Of a tile that all blocks of a cluster multiply, each copies a part of the rows to all.
    if constexpr (Tile::SHARED) {
        constexpr int ROWS = Tile::ROWS / CLUSTER;
        static_assert(ROWS * CLUSTER == Tile::ROWS && ROWS % 8 == 0, "whole groups of rows");
        const int first = cluster_rank() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
#endif
#if PANELS
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
#if CLUSTERED
#if POLICY
        if constexpr (Tile::SHARED) multicast_box(to, operand, box, barrier, Tile::policy());
        else copy_box(to, operand, box, barrier, Tile::policy());
#else
        if constexpr (Tile::SHARED) multicast_box(to, operand, box, barrier);
        else copy_box(to, operand, box, barrier);
#endif
#else
#if POLICY
        copy_box(to, operand, box, barrier, Tile::policy());
#else
        copy_box(to, operand, box, barrier);
#endif
#endif
        to += Tile::PANEL_BYTES, box.col += Tile::PANEL_COLS;
    }
#else
#if CLUSTERED
#if POLICY
    if constexpr (Tile::SHARED) multicast_box(to, operand, box, barrier, Tile::policy());
    else copy_box(to, operand, box, barrier, Tile::policy());
#else
    if constexpr (Tile::SHARED) multicast_box(to, operand, box, barrier);
    else copy_box(to, operand, box, barrier);
#endif
#else
#if POLICY
    copy_box(to, operand, box, barrier, Tile::policy());
#else
    copy_box(to, operand, box, barrier);
#endif
#endif
#endif
}
