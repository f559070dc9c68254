// Offset of row number `line` of the matrix at (mn, k), for the load `further` elements along m (or
// n): these lie in rows below, or in columns beside.
template <class Tile>
__device__ __forceinline__ int matrix_row(int mn, int k, int line, int further) {
    if constexpr (Tile::TRANSPOSED) return Tile::offset(k + line, mn + further);
    else return Tile::below(Tile::offset(mn + line, k), mn + line, k, further);
}

// Loads a warp's fragments of one k-step from a stage: the part at mn0 x k0 of the tile. Lane l
// addresses row l % 8 of matrix l / 8; each x4 load covers the next X4_MN elements along m (or n).
template <class Tile, bool = Tile::TRANSPOSED>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + matrix_mn<Tile>(matrix), k = k0 + matrix_k<Tile>(matrix);
    constexpr int LOADS = Tile::REGISTERS / 4;
#pragma unroll
    for (int load = 0; load < LOADS; ++load) {
        ldmatrix_x4<Tile>(
            &fragments[load * 4], stage + matrix_row<Tile>(mn, k, line, load * Tile::X4_MN));
    }
#if REST
    constexpr int REST = Tile::REGISTERS % 4, REST_MN = LOADS * Tile::X4_MN;
    if constexpr (REST >= 2) {
        ldmatrix_x2<Tile>(
            &fragments[LOADS * 4], stage + matrix_row<Tile>(mn, k, line, REST_MN));
    }
    if constexpr (REST % 2 == 1) {
        ldmatrix_x1<Tile>(
            &fragments[Tile::REGISTERS - 1],
            stage + matrix_row<Tile>(mn, k, line, REST_MN + (REST - 1) * 8));
    }
#endif
}
