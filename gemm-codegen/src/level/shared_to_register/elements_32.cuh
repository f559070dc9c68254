// Loads a warp's fragments of one k-step from a stage, an element at a time: the part at mn0 x k0
// of the tile. A register holds one element.
template <class Tile, int BANDS = Tile::BANDS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    // Spelt out for the compiler: no carry of a column reaches the rows, which a swizzle reads.
    constexpr int COLUMN = Tile::COLUMN_BITS;
    const int mn = mn0 + threadIdx.x % 32 / 4, k = k0 + threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS; ++i) {
        const int band = i / Tile::ATOM_REGISTERS * BANDS + i % BANDS;
        const int block = i % Tile::ATOM_REGISTERS / BANDS;
        fragments[i] =
            load_shared<Tile>(stage + Tile::offset(k + block * 4, mn + band * 8 & COLUMN));
    }
}
