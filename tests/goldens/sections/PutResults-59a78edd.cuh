// What the body makes of sums, rounded. The epilogue tile is a part of the output.
struct PutResults {
    const Values& values;
    EpilogueTile tile;
