// The most threads, up to `most`, that share the copies of a row equally.
constexpr int threads_of_row(int copies, int most) {
    int threads = copies < most ? copies : most;
    while (copies % threads != 0) --threads;
    return threads;
}

// A thread's position in the operand of Tile: where its copies of the next k-tile begin, and how
// many elements follow from there.
template <class Tile>
struct Source {
    typedef typename Tile::Element Element;
    static_assert(Tile::COLS * sizeof(Element) % Tile::COPY_BYTES == 0, "copies tile a row");
    static constexpr int VECTOR = Tile::COPY_BYTES / int(sizeof(Element));  // elements of a copy
    static constexpr int THREAD_COLS = threads_of_row(Tile::COLS / VECTOR, Tile::ROW_THREADS);
    static constexpr int THREAD_ROWS = THREADS / THREAD_COLS;

    const Element* from;
    long long ld;
    int mn, k;
#if POLICY
    const unsigned long long policy = Tile::policy();  // of L2; made once
#endif

    __device__ __forceinline__ Source(const Element* operand, long long ld, int mn0, int mn, int k)
        : ld(ld) {
        const int at_mn = mn0 + (Tile::K_CONTIGUOUS ? row() : col());
        const int at_k = Tile::K_CONTIGUOUS ? col() : row();
        from = operand + (Tile::K_CONTIGUOUS ? at_mn * ld + at_k : at_k * ld + at_mn);
        this->mn = mn - at_mn;
        this->k = k - at_k;
    }

    // Row and column of the thread's first copy in the tile.
    static __device__ __forceinline__ int row() { return int(threadIdx.x) / THREAD_COLS; }
    static __device__ __forceinline__ int col() { return int(threadIdx.x) % THREAD_COLS * VECTOR; }

    __device__ __forceinline__ void advance() {
#if FEWER_COLUMNS
        from += Tile::COLS;  // of a tile pairs of numbers along k, or scales
        k -= Tile::COLS;
#else
        from += Tile::K_CONTIGUOUS ? BLK_K : BLK_K * ld;
        k -= BLK_K;
#endif
    }
};
