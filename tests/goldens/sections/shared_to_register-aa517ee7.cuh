// Loads a warp's fragments of one k-step from a stage, an element at a time: the part at mn0 x k0
// of the tile. A register holds one element.
template <class Tile, int BANDS = Tile::BANDS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    // Masked for the compiler: no carry of a column reaches the row bits that a swizzle reads.
    constexpr int COLUMN = Tile::COLUMN_BITS;
    const int mn = mn0 + threadIdx.x % 32 / 4, k = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS; ++i) {
        const int band = i / Tile::ATOM_REGISTERS * BANDS + i % BANDS;
        const int block = i % Tile::ATOM_REGISTERS / BANDS;
        // Rows below are added to an address, so that most addresses differ by a constant.
        const int column = mn + band * 8 & COLUMN, from = Tile::offset(k, column);
        fragments[i] = load_shared<Tile>(stage + Tile::below(from, k, column, k0 + block * 4));
    }
}
