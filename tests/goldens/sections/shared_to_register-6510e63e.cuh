// Loads a warp's numbers of one k-step from a stage, as they are packed: those at mn0 x k0 of the
// tile. A lane has an element of every 16 lines, or a part of one.
template <class Tile, class Words = typename Tile::Words>
__device__ __forceinline__ void shared_to_register(
    unsigned (&packed)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    constexpr int WORDS = sizeof(Words) / 4;
    const int element = k0 / Tile::PACKED_K * 32 + int(threadIdx.x) % 32;
    const int part = k0 % Tile::PACKED_K / Tile::LOADED_K * Tile::VECTOR_BYTES;
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS / WORDS; ++i) {
        const int offset = Tile::offset(mn0 / Tile::LINES + i, element);
        load_shared<Tile>(&packed[i * WORDS], stage + offset + part);
    }
}
