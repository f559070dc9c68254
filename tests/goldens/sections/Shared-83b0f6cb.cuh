// Shared memory of a block. Sums arrive where the ring is, which is idle by then, and the epilogue
// stages there.
struct Shared {
    union {
        Stage ring[STAGES];
        Staged staged[STAGED_ELEMENTS];
        Sum received[SPLITS - 1][BLK_M * BLK_N / SPLITS];  // from the other blocks of the cluster
    };
    Barriers barriers;
};
