// Loads a warp's fragments of one k-step of several instructions from a stage: the part at mn0 x k0
// of the tile. Of each atom four matrices at a time, which follow each other along k; of A those of
// both bands alternate.
template <class Tile, int = Tile::BANDS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    constexpr int BANDS = Tile::BANDS, LOADS_K = Tile::MATRICES_K * BANDS / 4;  // of an atom
    const int matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + matrix % BANDS * 8 + threadIdx.x % 8;
    const int k = k0 + matrix / BANDS * Tile::MATRIX_K;
#pragma unroll
    for (int load = 0; load < Tile::REGISTERS / 4; ++load) {
        const int further = load / LOADS_K * (8 * BANDS);
        const int col = k + load % LOADS_K * (4 / BANDS * Tile::MATRIX_K);
        ldmatrix_x4<Tile>(
            &fragments[load * 4],
            stage + Tile::below(Tile::offset(mn, col), mn, col, further));
    }
}
