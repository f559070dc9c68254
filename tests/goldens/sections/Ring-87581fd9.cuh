// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every warp that multiplies what this block has copied there has done so.
struct Ring {
    unsigned stages, full, empty;
