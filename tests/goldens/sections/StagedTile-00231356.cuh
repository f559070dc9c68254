// What a pass of the warpgroup has staged: ROWS x COLS elements of the output, whose part that the
// warpgroup stores begins at (row0, col0).
struct StagedTile {
    static constexpr int ROWS = EPILOGUE_ROWS, COLS = ROW_CHUNKS * OUT_VECTOR, THREADS = 128;
    static constexpr int BYTES = EPILOGUE_TILE * int(sizeof(Staged));
    static constexpr int ROW_PASSES = ATOM_PASSES;  // that have the same rows
    Staged* staged;
    int pass, row0, col0, rows, cols;
    __device__ __forceinline__ static int thread() { return threadIdx.x % 128; }
    __device__ __forceinline__ static void sync() { warpgroup_sync(); }
