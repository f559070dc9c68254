// Issues the loads of the next k-tile, ROWS rows of COLS elements. Out-of-bounds elements become
// zero.
template <class Tile>
__device__ __forceinline__ void global_to_register(Held<Tile>& held, Source<Tile>& source) {
    typedef Source<Tile> S;
    const int rows = Tile::K_CONTIGUOUS ? source.mn : source.k;
    const int cols = Tile::K_CONTIGUOUS ? source.k : source.mn;
    const typename Tile::Element* from = source.from;
    int copy = 0;
#pragma unroll
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const bool exists = row < rows && Held<Tile>::in_tile(row);
            load_copy<Tile>(held.words[copy++], from + col, exists ? cols - col : 0);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}
