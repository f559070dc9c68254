// The most threads, of all, that share the copies of a row equally.
constexpr int threads_of_row(int copies) {
    int threads = copies < THREADS ? copies : THREADS;
    while (copies % threads != 0) --threads;
    return threads;
}

// A thread's place in the operand of Tile: where its copies of the next tile along k begin, and
// how many elements there are from there on.
template <class Tile>
struct Source {
    typedef typename Tile::Element Element;
    static constexpr int VECTOR = Tile::COPY_BYTES / int(sizeof(Element));  // elements of a copy
    static constexpr int THREAD_COLS = threads_of_row(Tile::COLS / VECTOR);
    static constexpr int THREAD_ROWS = THREADS / THREAD_COLS;

    const Element* from;
    long long ld;
    int mn, k;

    __device__ __forceinline__ Source(const Element* operand, long long ld, int mn0, int mn, int k)
        : ld(ld) {
        const int at_mn = mn0 + (Tile::K_CONTIGUOUS ? row() : col());
        const int at_k = Tile::K_CONTIGUOUS ? col() : row();
        from = operand + (Tile::K_CONTIGUOUS ? at_mn * ld + at_k : at_k * ld + at_mn);
        this->mn = mn - at_mn;
        this->k = k - at_k;
    }

    // The thread's first copy in the tile.
    static __device__ __forceinline__ int row() { return int(threadIdx.x) / THREAD_COLS; }
    static __device__ __forceinline__ int col() { return int(threadIdx.x) % THREAD_COLS * VECTOR; }

    __device__ __forceinline__ void advance() {
        from += Tile::K_CONTIGUOUS ? BLK_K : BLK_K * ld;
        k -= BLK_K;
    }
};

// Starts the copies of the next tile, ROWS rows of COLS elements, to a stage. What lies outside
// the operand becomes zero.
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
            const int valid = row < rows ? max(0, min(cols - col, S::VECTOR)) : 0;
            const int to = col == 0 ? Tile::below(first, S::row(), S::col(), row)
                                    : Tile::offset(S::row() + row, S::col() + col);
            if (in_tile) copy_async<Tile>(stage + to, from + col, valid);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}
