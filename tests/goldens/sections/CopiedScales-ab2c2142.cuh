// Scales that the lane's warp copies: those of its lines, several of each for a k-tile. They lie
// line after line as they do in memory.
template <class Of>
struct CopiedScales : LineScales<Of> {
    typedef LineScales<Of> Lines;
    typedef typename Lines::Element Element;
    static constexpr int PARTS = Lines::PARTS, COPY_BYTES = sizeof(Element);
    static constexpr int LINE_BYTES = PARTS * COPY_BYTES;
    static constexpr int VECTOR_BYTES = LINE_BYTES < 16 ? LINE_BYTES : 16;
    static constexpr int BYTES = GROUP_M * LINE_BYTES;  // of a warpgroup in a stage

    const Element* first;
    long long ld;
    int mn0, mn;  // the warpgroup's first line, all lines

