// What the body makes of sums, rounded, of the output that is a matrix; of the others each row is
// reduced. The epilogue tile is a part of the output, whose columns before `first` the pass before
// has had.
struct PutResults {
    const Values& values;
    EpilogueTile tile;
    int first;
    Reductions& reductions;
