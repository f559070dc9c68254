// Offset in a stage of a lane's row for the first x4 load of a warp's fragments, the part at mn0 of
// the tile: row l % 8 of matrix l / 8 for lane l.
template <class Tile>
__device__ __forceinline__ unsigned lane_row(int mn0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
#if PANELS
    const int mn = mn0 + matrix_mn<Tile>(matrix), k = matrix_k<Tile>(matrix);
    return Tile::TRANSPOSED ? Tile::offset(k + line, mn) : Tile::offset(mn + line, k);
#else
    return Tile::offset(mn0 + matrix_mn<Tile>(matrix) + line, matrix_k<Tile>(matrix));
#endif
}

// One of the x4 loads of the k-step at k0: four registers, X4_MN elements along m (or n). `row` is
// the offset of the lane's row in shared memory.
#if PANELS
// A k-step, or a load of a warp with whole panels or 1/2, 1/4, .. of one, moves along the row to
// another chunk, by xor: nothing is carried. What lies below is added, since the swizzle repeats
// every 8 rows.
#else
// A k-step moves along the row to another chunk, by xor; what lies below is added, since the
// swizzle repeats every 8 rows.
#endif
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned* fragments, unsigned row, int k0, int load) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
#if PANELS
    const int mn = load * Tile::X4_MN;
    const int beside = Tile::TRANSPOSED ? mn % Tile::PANEL_COLS : k0;
    const int below = Tile::TRANSPOSED ? k0 : mn;
    const int panel = Tile::TRANSPOSED ? mn / Tile::PANEL_COLS : 0;
    ldmatrix_x4<Tile>(
        fragments,
        (row ^ (beside * BYTES)) + below * Tile::PITCH + panel * Tile::PANEL_BYTES);
#else
    ldmatrix_x4<Tile>(fragments, (row ^ (k0 * BYTES)) + load * Tile::X4_MN * Tile::PITCH);
#endif
}
