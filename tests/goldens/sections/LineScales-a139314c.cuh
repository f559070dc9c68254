// The scales of a lane's lines of a factor, for a k-tile: of each line one, or several along k.
template <class Of>
struct LineScales {
    typedef typename Of::Element Element;
    static constexpr int PARTS = Of::K < BLK_K ? BLK_K / Of::K : 1;  // of a k-tile

    Element loaded[PARTS][Of::COUNT];

