// The tiles of a block, as far apart as there are blocks: it walks over them.
struct Tiles {
    int m, n;
    unsigned tile, count;
