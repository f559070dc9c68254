// Loads a warp's fragments of one k-step of bytes from a stage whose rows run along m (or n): the
// part at mn0 x k0 of the tile. Matrices of even and of odd k alternate, and their 16-bit elements
// are two bytes: lane l gets k = l % 4 * 4 + 0, 2 or + 1, 3 of columns l / 4 * 2 + 0, 1, and
// permutes the bytes of a column together. The columns are line l / 4 of two bands (see `line`).
template <class Tile, unsigned = Tile::X4_BYTES_MN>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + bytes_mn<Tile>(matrix);
    const int k = k0 + bytes_k<Tile>(matrix) + threadIdx.x % 8 * 2;
#pragma unroll
    for (int load = 0; load < Tile::REGISTERS / 4; ++load) {
        unsigned pairs[4];
        ldmatrix_x4_trans<Tile>(pairs, stage + Tile::offset(k, mn + load * Tile::X4_BYTES_MN));
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const unsigned even = pairs[2 * half], odd = pairs[2 * half + 1];
            fragments[load * 4 + place<Tile>(half, 0)] = __byte_perm(even, odd, 0x6240);
            fragments[load * 4 + place<Tile>(half, 1)] = __byte_perm(even, odd, 0x7351);
        }
    }
}
