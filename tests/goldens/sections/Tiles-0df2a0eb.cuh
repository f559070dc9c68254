// The tiles of a cluster's blocks, as far apart as there are clusters: it walks over them.
struct Tiles {
    int m, n;
    Counts counts;
    unsigned tile, count;
