// A ring of STAGES stages in shared memory: STAGES - 1 are in flight while one is multiplied.
struct Pipeline {
    Sources& from;
    const unsigned first, last;  // stages of the ring
    unsigned read = first, write = last;

