#if CLUSTERED
// The number of this block among those of its cluster that multiply a tile.
template <class Tile>
__device__ __forceinline__ int part_of() {
    return cluster_rank() / Tile::RANKS_APART % Tile::SHARERS;
}

// The bits of all of them.
template <class Tile>
__device__ __forceinline__ unsigned short sharers() {
    constexpr int APART = Tile::RANKS_APART;
    constexpr int FROM_FIRST = ((1 << Tile::SHARERS * APART) - 1) / ((1 << APART) - 1);
    return FROM_FIRST << (cluster_rank() - part_of<Tile>() * APART);
}

#endif
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
    // Of a tile that several blocks of a cluster multiply, each copies a part of the rows to all.
    if constexpr (Tile::SHARERS > 1) {
        constexpr int ROWS = Tile::ROWS / Tile::SHARERS;
        static_assert(ROWS * Tile::SHARERS == Tile::ROWS, "a part has whole rows");
        const int first = part_of<Tile>() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
#endif
#if PANELS
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
#if CLUSTERED
#if POLICY
        if constexpr (Tile::SHARERS > 1) {
            multicast_box(to, operand, box, barrier, sharers<Tile>(), Tile::policy());
        } else {
            copy_box(to, operand, box, barrier, Tile::policy());
        }
#else
        if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
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
    if constexpr (Tile::SHARERS > 1) {
        multicast_box(to, operand, box, barrier, sharers<Tile>(), Tile::policy());
    } else {
        copy_box(to, operand, box, barrier, Tile::policy());
    }
#else
    if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
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
