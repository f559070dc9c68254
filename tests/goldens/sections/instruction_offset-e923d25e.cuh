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
