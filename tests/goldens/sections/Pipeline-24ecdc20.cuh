// Two stages in shared memory: while one is multiplied, the next k-tile is loaded to registers, and
// from there stored to the other.
struct Pipeline {
    Sources& from;
    unsigned read, write;  // the two stages
    HeldA held_a;
    HeldB held_b;

