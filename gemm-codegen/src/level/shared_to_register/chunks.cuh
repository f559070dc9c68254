// Loads the 16 bytes of a line of a stage from column `col` on, the same for the lanes of the line.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned (&chunk)[4], unsigned stage, int line, int col) {
    load_shared<Tile>(chunk, stage + Tile::offset(line, col));
}
