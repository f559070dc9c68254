// Loads a warp's fragments of one k-step from a stage, an element at a time: the part at mn0 x k0
// of the tile. An element takes two registers.
template <class Tile, int BANDS = Tile::BANDS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    constexpr int ATOM_ELEMENTS = Tile::ATOM_REGISTERS / 2;
    const int mn = mn0 + threadIdx.x % 32 / 4, k = k0 + threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS / 2; ++i) {
        const int band = i / ATOM_ELEMENTS * BANDS + i % BANDS;
        const int block = i % ATOM_ELEMENTS / BANDS;
        unsigned bits[2];
        load_shared<Tile>(bits, stage + element<Tile>(mn, k + block * 4, band * 8));
        fragments[2 * i] = bits[0];
        fragments[2 * i + 1] = bits[1];
    }
}
