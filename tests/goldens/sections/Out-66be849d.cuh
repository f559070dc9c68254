// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 1 * SLABS * SLAB_ROWS * SLAB_COLS;
