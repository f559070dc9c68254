// Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
template <class Tile>
__device__ __forceinline__ int instruction_offset(int mn, int k) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    if constexpr (!Tile::K_CONTIGUOUS) {
        return mn / Tile::PANEL_COLS * Tile::LEADING + k * Tile::PITCH;
    } else if constexpr (Tile::PANELS > 1) {
        return k / Tile::PANEL_COLS * Tile::PANEL_BYTES + mn * Tile::PITCH
               + k % Tile::PANEL_COLS * BYTES;
    } else {
        return mn * Tile::PITCH + k * BYTES;
    }
}

// The descriptor of what an instruction reads from `address` on: start, leading and stride distance
// in units of 16 bytes, and the swizzle of 128 bytes. (PTX ISA, Matrix descriptor format)
template <class Tile>
__device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    constexpr unsigned long long DISTANCES =
        1ull << 62 | static_cast<unsigned long long>(Tile::STRIDE / 16) << 32
                   | static_cast<unsigned long long>(Tile::LEADING / 16) << 16;
    return DISTANCES | (address & 0x3ffff) / 16;
}
