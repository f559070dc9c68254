// What a lane adds to a stage to address its row in the first x4 load of a warp's fragments, the
// part at mn0 of the tile: row l % 8 of matrix l / 8 for lane l.
template <class Tile>
__device__ __forceinline__ unsigned lane_row(int mn0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + Tile::matrix_mn(matrix), k = Tile::matrix_k(matrix);
    return Tile::TRANSPOSED ? Tile::offset(k + line, mn) : Tile::offset(mn + line, k);
}

// One of the x4 loads of the k-step at k0, four registers for X4_MN elements along m (or n). `row`
// is the lane's in the stage. What lies further along a row of its panel is another chunk of it,
// and nothing is carried: a k-step, or the loads of a warp, which has whole panels or one of
// 2, 4, .. equal parts of one. What lies below is added, as the swizzle repeats after 8 rows.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned* fragments, unsigned row, int k0, int load) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    const int mn = load * Tile::X4_MN;
    const int beside = Tile::TRANSPOSED ? mn % Tile::PANEL_COLS : k0;
    const int below = Tile::TRANSPOSED ? k0 : mn;
    const int panel = Tile::TRANSPOSED ? mn / Tile::PANEL_COLS : 0;
    ldmatrix_x4<Tile>(
        fragments,
        (row ^ (beside * BYTES)) + below * Tile::PITCH + panel * Tile::PANEL_BYTES);
}
