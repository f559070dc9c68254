// Offset in a stage of a lane's row for the first x4 load of a warp's fragments, the part at mn0 of
// the tile: row l % 8 of matrix l / 8 for lane l.
template <class Tile>
__device__ __forceinline__ unsigned lane_row(int mn0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + matrix_mn<Tile>(matrix), k = matrix_k<Tile>(matrix);
    return Tile::TRANSPOSED ? Tile::offset(k + line, mn) : Tile::offset(mn + line, k);
}
