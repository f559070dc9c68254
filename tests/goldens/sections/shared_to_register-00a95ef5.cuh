// One of the x4 loads of the k-step at k0: four registers, X4_MN elements along m (or n). `row` is
// the offset of the lane's row in shared memory.
// A k-step, or a load of a warp with whole panels or 1/2, 1/4, .. of one, moves along the row to
// another chunk, by xor: nothing is carried. What lies below is added, since the swizzle repeats
// every 8 rows.
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
