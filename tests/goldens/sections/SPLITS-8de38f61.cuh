constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 8192, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
