// Scales of a warp that lie in the stages, after the factors. Those of a k-tile are copied while
// the STAGES - 1 before it are multiplied.
template <class Scales>
struct Ahead : Scales {
    unsigned stages;  // where the warpgroup's scales lie in the first one
    unsigned stage;   // of the k-tile
    int k, end;       // its first k, all k

