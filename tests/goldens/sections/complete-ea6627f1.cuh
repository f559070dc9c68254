// Requests the other factor's part of the k-tiles that are `started`.
template <class Tile>
__device__ __forceinline__ void complete(
    Ring ring, Block block, const typename Tile::Factor& operand, int from, int started) {
    for (int tile = 0; tile < started; ++tile) {
        copy_tile<Tile>(ring, tile, block, operand, from + tile * BLK_K);
    }
}
