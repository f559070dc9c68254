// Offset of the element at (mn, k), or `further` elements along m (or n) from it.
template <class Tile>
__device__ __forceinline__ int element(int mn, int k, int further) {
    if constexpr (Tile::K_CONTIGUOUS) {
        return Tile::below(Tile::offset(mn, k), mn, k, further);
    } else {
        // Masked for the compiler: no carry of a column reaches the row bits that a swizzle reads.
        return Tile::offset(k, mn + further & Tile::COLUMN_BITS);
    }
}
