// The sums of an atom that are not promoted yet.
struct Unpromoted { Sum sums[SUMS]; };
