// A place in the ring: a stage, and the parity of the phase that the next wait for it is for.
struct Place {
    unsigned stage, parity;
