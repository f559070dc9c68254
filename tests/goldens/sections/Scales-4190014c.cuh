// The scales of the lines of a factor to which a lane's sums belong, for the part of k that is
// summed.
template <class Of, class Tile>
struct Scales {
    typename Of::Element loaded[Of::COUNT];

