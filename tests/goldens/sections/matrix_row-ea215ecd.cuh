// Offset of row number `line` of the matrix at (mn, k), for the load `further` elements along m (or
// n): these lie in rows below, or in columns beside.
template <class Tile>
__device__ __forceinline__ int matrix_row(int mn, int k, int line, int further) {
    if constexpr (Tile::TRANSPOSED) return Tile::offset(k + line, mn + further);
    else return Tile::below(Tile::offset(mn + line, k), mn + line, k, further);
}
