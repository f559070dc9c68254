// The row of a warp's tile along m (or n) for which line `within` of eight of a band of fragments
// stands: the lines of TURNS bands take turns in shared memory.
template <class Tile>
__device__ __forceinline__ int line(int band, int within) {
    return (band / Tile::TURNS * 8 + within) * Tile::TURNS + band % Tile::TURNS;
}
