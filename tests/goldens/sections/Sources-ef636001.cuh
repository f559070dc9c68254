// Where the block's k-tiles and their scales are copied from.
struct Sources {
    SourceA& a;
    SourceB& b;
    SourceScales& scales;
};
