// Loads a lane's fragments of one k-step from a stage, a vector at a time: the part at mn0 x k0 of
// the tile.
template <class Tile, int VECTORS = Tile::REGISTERS / Tile::VECTOR_REGISTERS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int mn = mn0 + Tile::lane() * Tile::RUN;
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
        load_shared<Tile>(
            &fragments[i * Tile::VECTOR_REGISTERS], Tile::vector(stage, i, mn, k0));
    }
}
