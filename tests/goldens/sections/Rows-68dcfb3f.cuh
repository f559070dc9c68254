// Reduces each row of what a warpgroup stores to a value of each output. Of a band of 8 columns a
// lane has two neighbours, of rows lane / 4 and lane / 4 + 8 of its warp's 16 of an atom.
template <class Of>
struct Rows {
    Of of;
    Reducible own[2][Of::COUNT];  // of each of these rows

