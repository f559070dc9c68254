// The epilogue tiles of a warpgroup, in stages with one for each matrix that the body reads, and
// their barriers: `loaded` completes when the copy unit has brought what the body reads, `written`
// when every warp has put its results there.
struct EpilogueRing {
    Staged* stages;
    unsigned loaded, written;
