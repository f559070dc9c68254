// Issues the copies of the next k-tile, ROWS rows of COLS elements, to a stage. Out-of-bounds
// elements become zero; no copy crosses the operand's edge, since ALIGN divides its rows.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned stage, Source<Tile>& source) {
    typedef Source<Tile> S;
    const int rows = Tile::K_CONTIGUOUS ? source.mn : source.k;
    const int cols = Tile::K_CONTIGUOUS ? source.k : source.mn;
    const typename Tile::Element* from = source.from;
    const int first = Tile::offset(S::row(), S::col());
    constexpr int UNROLL = Tile::COPY_BYTES >= 8 ? Tile::ROWS : 4;  // narrow copies are many
#pragma unroll UNROLL
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
        const bool in_tile = (Tile::ROWS % S::THREAD_ROWS == 0 || S::row() + row < Tile::ROWS)
            && (THREADS % S::THREAD_COLS == 0 || S::row() < S::THREAD_ROWS);
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const bool inside = row < rows && col < cols;
            const int to = col == 0 ? Tile::below(first, S::row(), S::col(), row)
                                    : Tile::offset(S::row() + row, S::col() + col);
            if (in_tile) copy_async<Tile>(stage + to, from + col, inside);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}
