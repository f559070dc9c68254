// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Shared {
    union {
        Stage ring[STAGES];
        Staged staged[STAGED_ELEMENTS];
    };
    Barriers barriers;
};
