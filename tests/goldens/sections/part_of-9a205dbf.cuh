// The number of this block among those of its cluster that multiply a tile.
template <class Tile>
__device__ __forceinline__ int part_of() {
    return cluster_rank() / Tile::RANKS_APART % Tile::SHARERS;
}
