// Copies a box of it to all that multiply it.
template <class Tile, class Box>
__device__ __forceinline__ void copy_part(
    unsigned to, const TensorMap& operand, const Box& box, unsigned barrier) {
    if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
    else copy_box(to, operand, box, barrier);
}
