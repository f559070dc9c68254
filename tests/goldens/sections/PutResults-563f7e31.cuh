// What the body makes of sums and of the elements of matrices in `stage`, rounded. The epilogue
// tile is a part of the output.
struct PutResults {
    const Values& values;
    const Staged* stage;
    EpilogueTile tile;
    int rows, cols;
