// The tiles of a block, or of a cluster's, as far apart as there are of these: it walks over them.
struct Tiles {
    int m, n;
    Counts counts;
    unsigned tile, count;
