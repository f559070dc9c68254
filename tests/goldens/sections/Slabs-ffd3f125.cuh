// The places of a warpgroup and their barriers: `fetched` completes when the copy unit has brought
// what the body reads, `written` when every warp has put its results there.
struct Slabs {
    Staged* places;
    unsigned fetched, written;
