// What a lane adds to a stage to address its row in the first x4 load of a warp's fragments, the
// part at mn0 of the tile: row l % 8 of matrix l / 8 for lane l.
template <class Tile>
__device__ __forceinline__ unsigned lane_row(int mn0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    return Tile::offset(mn0 + Tile::matrix_mn(matrix) + line, Tile::matrix_k(matrix));
}

// One of the x4 loads of the k-step at k0, four registers for X4_MN elements along m (or n). `row`
// is the lane's in the stage: a k-step changes no more than which chunk of the row it is, and the
// swizzle repeats after 8 rows.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned* fragments, unsigned row, int k0, int load) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    ldmatrix_x4<Tile>(fragments, (row ^ (k0 * BYTES)) + load * Tile::X4_MN * Tile::PITCH);
}
