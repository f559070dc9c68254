// A thread's copies of the next k-tile, COPY_BYTES bytes each, in registers between global and
// shared memory.
template <class Tile>
struct Held {
    typedef Source<Tile> S;
    static constexpr int COPY_WORDS = Tile::COPY_BYTES / 4;
    static constexpr int ROW_COPIES = Tile::COLS / (S::THREAD_COLS * S::VECTOR);
    static constexpr int COPIES = (Tile::ROWS - 1) / S::THREAD_ROWS * ROW_COPIES + ROW_COPIES;

    unsigned words[COPIES][COPY_WORDS];

