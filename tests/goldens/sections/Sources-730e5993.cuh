// Where the block's k-tiles are copied from.
struct Sources {
    SourceA& a;
    SourceB& b;
};
