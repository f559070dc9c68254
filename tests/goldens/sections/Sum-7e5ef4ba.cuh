typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
// The first row and column of a block tile in the output of its product.
struct Block { int m, n, segment; };
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's
