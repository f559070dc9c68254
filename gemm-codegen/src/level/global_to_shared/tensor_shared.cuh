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

// Of a tile that several blocks of a cluster multiply, each copies a part of the rows to all: where
// this block's part begins.
template <class Tile, class Box>
__device__ __forceinline__ void move_to_part(unsigned& to, Box& box) {
    if constexpr (Tile::SHARERS > 1) {
        constexpr int ROWS = Tile::ROWS / Tile::SHARERS;
        static_assert(ROWS * Tile::SHARERS == Tile::ROWS, "a part has whole rows");
        const int first = part_of<Tile>() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
}

// Copies a box of it to all that multiply it.
template <class Tile, class Box>
__device__ __forceinline__ void copy_part(
    unsigned to, const TensorMap& operand, const Box& box, unsigned barrier) {
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
}
