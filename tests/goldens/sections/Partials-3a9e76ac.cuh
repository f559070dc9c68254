// The partial values of outputs that are reduced to one index: of each output, for each part of the
// other index, one for each line, which is an element of the output. LINES of them are counted
// together.
template <int COUNT, int LINES>
struct Partials {
    Reducible* values;  // (COUNT, parts, lines)
    unsigned* arrivals;  // for each LINES lines; 0 before and after a launch
    int parts, lines;
