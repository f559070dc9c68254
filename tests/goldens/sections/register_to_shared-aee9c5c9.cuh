// Stores the loaded copies to a stage.
template <class Tile>
__device__ __forceinline__ void register_to_shared(unsigned stage, const Held<Tile>& held) {
    typedef Source<Tile> S;
    const int first = Tile::offset(S::row(), S::col());
    int copy = 0;
#pragma unroll
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const int to = col == 0 ? Tile::below(first, S::row(), S::col(), row)
                                    : Tile::offset(S::row() + row, S::col() + col);
            const unsigned* const words = held.words[copy++];
            if (Held<Tile>::in_tile(row)) store_shared<Tile>(stage + to, words);
        }
    }
}
