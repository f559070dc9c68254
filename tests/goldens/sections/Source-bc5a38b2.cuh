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

