// An operand (rows `ld` apart), from the first k of the block's part on.
template <class Tile>
__device__ __forceinline__ const typename Tile::Element* skip(
    const typename Tile::Element* operand, long long ld, Part part) {
    return operand + (Tile::K_CONTIGUOUS ? part.from : part.from * ld);
}
