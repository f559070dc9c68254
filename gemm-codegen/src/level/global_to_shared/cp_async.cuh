// Starts the copies of one stage of a tile: ROWS rows of COLS elements, VECTOR elements a copy,
// one copy a thread at a time. What lies outside the mn x k operand becomes zero.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    typename Tile::Element* stage, const typename Tile::Element* from, long long ld,
    int mn0, int k0, int mn, int k) {
    constexpr int VECTOR = Tile::COPY_BYTES / int(sizeof(typename Tile::Element));
    constexpr int COPIES_PER_ROW = Tile::COLS / VECTOR;
    constexpr int COPIES = Tile::ROWS * COPIES_PER_ROW;
    const int row0 = Tile::K_CONTIGUOUS ? mn0 : k0, rows = Tile::K_CONTIGUOUS ? mn : k;
    const int col0 = Tile::K_CONTIGUOUS ? k0 : mn0, cols = Tile::K_CONTIGUOUS ? k : mn;
#pragma unroll
    for (int first = 0; first < COPIES; first += THREADS) {
        const int copy = first + int(threadIdx.x);
        if (COPIES % THREADS != 0 && copy >= COPIES) break;
        const int row = copy / COPIES_PER_ROW, col = copy % COPIES_PER_ROW * VECTOR;
        const int inside = row0 + row < rows ? cols - (col0 + col) : 0;
        const int valid = max(0, min(inside, VECTOR));  // elements of this copy that exist
        typename Tile::Element* const to = stage + Tile::offset(row, col);
        copy_async<Tile>(to, from + (row0 + row) * ld + (col0 + col), valid);
    }
}
