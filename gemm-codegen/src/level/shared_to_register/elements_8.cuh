// Loads a warp's fragments of one k-step from a stage, byte by byte: the part at mn0 x k0 of the
// tile. A register holds 4 neighbours along k, which lie in 4 rows of the tile.
template <class Tile, int BANDS = Tile::BANDS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    // Masked for the compiler: no carry of a column reaches the row bits that a swizzle reads.
    constexpr int COLUMN = Tile::COLUMN_BITS;
    const int mn = mn0 + threadIdx.x % 32 / 4, k = threadIdx.x % 4 * 4;
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS; ++i) {
        const int band = i / Tile::ATOM_REGISTERS * BANDS + i % BANDS;
        const int block = i % Tile::ATOM_REGISTERS / BANDS;
        // Rows below are added to an address, so that most addresses differ by a constant.
        const int column = mn + band * 8 & COLUMN, rows = k0 + block * 16;
        unsigned bytes[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int from = Tile::offset(k + j, column);
            bytes[j] = load_shared<Tile>(stage + Tile::below(from, k + j, column, rows));
        }
        fragments[i] = __byte_perm(
            __byte_perm(bytes[0], bytes[1], 0x0040), __byte_perm(bytes[2], bytes[3], 0x0040),
            0x5410);
    }
}
