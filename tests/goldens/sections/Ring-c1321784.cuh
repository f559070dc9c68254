// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every warp of the blocks to which this one copies has multiplied it.
struct Ring {
    unsigned stages, full, empty;
