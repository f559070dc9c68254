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
