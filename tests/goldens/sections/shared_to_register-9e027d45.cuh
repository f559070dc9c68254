// Loads a warp's fragments of one k-step from a stage: the part at mn0 x k0 of the tile. Of each
// line a lane has RUN neighbours along k, in one vector.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    constexpr int WORDS = Tile::VECTOR_BYTES / 4;
    const int mn = mn0 + threadIdx.x % 32 / 4;
    const int k = (k0 + int(threadIdx.x) % 4 * Tile::RUN) / Tile::NUMBERS;
    const int first = Tile::offset(mn, k);
#pragma unroll
    for (int i = 0; i < Tile::REGISTERS / WORDS; ++i) {
        load_shared<Tile>(&fragments[i * WORDS], stage + Tile::below(first, mn, k, i * 8));
    }
}
