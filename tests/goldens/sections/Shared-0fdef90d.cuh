// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
struct Shared {
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
    Barriers barriers;
};
