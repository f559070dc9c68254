typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
// The first row and column of a block tile in the output of its product.
struct Block { int m, n, segment; };
struct Warpgroup { int m, n; };  // first row and column of its tile in the block's
