// The scales of the lines of a factor to which a lane's sums belong, for the part of k that is
// summed. They are loaded when it begins and needed when it ends.
template <class Of>
struct Scales {
    typedef typename Of::Element Element;

    const Element* first;
    long long ld;
    int mn0, mn, k, end;  // the warp's first line, all lines, the part's first k, all k
    Element loaded[Of::COUNT];

