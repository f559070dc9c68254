// The row (or column) of the warp tile that line `within` (0..8) of a band of fragments holds: the
// lines of INTERLEAVED bands are interleaved in shared memory.
template <class Tile>
__device__ __forceinline__ int line(int band, int within) {
    return (band / Tile::INTERLEAVED * 8 + within) * Tile::INTERLEAVED + band % Tile::INTERLEAVED;
}
