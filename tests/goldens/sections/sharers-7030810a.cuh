// The bits of all of them.
template <class Tile>
__device__ __forceinline__ unsigned short sharers() {
    constexpr int APART = Tile::RANKS_APART;
    constexpr int FROM_FIRST = ((1 << Tile::SHARERS * APART) - 1) / ((1 << APART) - 1);
    return FROM_FIRST << (cluster_rank() - part_of<Tile>() * APART);
}
