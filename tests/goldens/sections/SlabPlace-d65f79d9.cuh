// One of them, and the parity of the phase that the next wait for it is for.
struct SlabPlace {
    unsigned number, parity;
