// A thread's copies of the next k-tile, COPY_BYTES bytes each, in registers between global and
// shared memory.
template <class Tile>
struct Held {
    typedef Source<Tile> S;
    static constexpr int COPY_WORDS = Tile::COPY_BYTES / 4;
    static constexpr int ROW_COPIES = Tile::COLS / (S::THREAD_COLS * S::VECTOR);
    static constexpr int COPIES = (Tile::ROWS - 1) / S::THREAD_ROWS * ROW_COPIES + ROW_COPIES;

    unsigned words[COPIES][COPY_WORDS];

    // Whether the thread has a copy `row` rows below its first one.
    static __device__ __forceinline__ bool in_tile(int row) {
        return (Tile::ROWS % S::THREAD_ROWS == 0 || S::row() + row < Tile::ROWS)
            && (THREADS % S::THREAD_COLS == 0 || S::row() < S::THREAD_ROWS);
    }
};

// Loads one copy in words of LOAD_BYTES bytes. Words from element `valid` on become zero; no word
// crosses the operand's edge, since ALIGN divides its rows.
template <class Tile>
__device__ __forceinline__ void load_copy(
    unsigned (&words)[Held<Tile>::COPY_WORDS], const typename Tile::Element* from, int valid) {
    constexpr int LOADS = Tile::COPY_BYTES / Tile::LOAD_BYTES;
    constexpr int ELEMENTS = Tile::LOAD_BYTES / int(sizeof(*from));  // of a load
    typedef typename Word<Tile::LOAD_BYTES>::Type Load;
    const Load* const loads = reinterpret_cast<const Load*>(from);
    if constexpr (Tile::LOAD_BYTES >= 4) {
        __align__(16) Load loaded[LOADS] = {};
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            if (i * ELEMENTS < valid) loaded[i] = loads[i];
        }
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) {
            words[i] = reinterpret_cast<const unsigned*>(loaded)[i];
        }
    } else {  // several loads make a word
        constexpr int PACKED = 4 / Tile::LOAD_BYTES;
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) words[i] = 0;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            const unsigned bits = i * ELEMENTS < valid ? loads[i] : 0;
            words[i / PACKED] |= bits << (i % PACKED * Tile::LOAD_BYTES * 8);
        }
    }
}

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
