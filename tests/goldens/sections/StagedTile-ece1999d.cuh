// What a pass of the block has staged: ROWS x COLS elements of the output, whose part that the
// block stores begins at (row0, col0).
struct StagedTile {
    static constexpr int ROWS = STAGED_ROWS, COLS = ROW_CHUNKS * OUT_VECTOR, THREADS = CONSUMERS;
    static constexpr int BYTES = STAGED_SUMS * int(sizeof(Sum));
    static constexpr int ROW_PASSES = 1;  // that have the same rows
    Sum* staged;
    int pass, row0, col0, rows, cols;
    __device__ __forceinline__ static int thread() { return threadIdx.x; }
    __device__ __forceinline__ static void sync() { consumers_sync(); }
