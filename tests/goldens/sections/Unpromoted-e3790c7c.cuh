// Sums that are not promoted yet.
struct Unpromoted { Sum sums[PROMOTED_SUMS]; };
