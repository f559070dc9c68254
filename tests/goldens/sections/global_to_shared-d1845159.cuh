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
    // For sm_90, ptxas of CUDA 12.4 to 13.1 emits an illegal instruction for a copy with a policy
    // whose address it splits into a uniform and a per-lane part. Blocks extend along x alone,
    // which ptxas does not know: this zero hides the sum from it.
    const unsigned begin = (stage + first) ^ (blockDim.y - 1);
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
            if (in_tile) copy_async<Tile>(begin + (to - first), from + col, inside, source.policy);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}
