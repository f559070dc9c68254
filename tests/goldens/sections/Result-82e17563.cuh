// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(f32));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, OUT1_VECTOR);
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
