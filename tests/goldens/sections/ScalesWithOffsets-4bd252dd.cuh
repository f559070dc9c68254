// The scales of the lines of a factor, and its offsets, which have the same tiles.
template <class OfScales, class OfOffsets>
struct ScalesWithOffsets {
    OfScales scales;
    OfOffsets offsets;

