// What a pass of the warpgroup has staged: ROWS x COLS elements of the output, whose part that the
// warpgroup stores begins at (row0, col0).
struct StagedTile {
    static constexpr int ROWS = EPILOGUE_ROWS, COLS = ROW_CHUNKS * OUT_VECTOR, THREADS = 128;
    static constexpr int BYTES = EPILOGUE_TILE * int(sizeof(Staged));
#if N_CONTIGUOUS
    static constexpr int ROW_PASSES = ATOM_PASSES;  // that have the same rows
#else
    static constexpr int ROW_PASSES = 1;  // that have the same rows
#endif
    Staged* staged;
    int pass, row0, col0, rows, cols;
    __device__ __forceinline__ static int thread() { return threadIdx.x % 128; }
    __device__ __forceinline__ static void sync() { warpgroup_sync(); }
    __device__ __forceinline__ EpilogueTile tile() const {
        return epilogue_tile(pass, row0, col0, rows, cols);
    }
    __device__ __forceinline__ Chunk chunk(int at_row, int at_col) const {
        return chunk_of(at_row * ROW_CHUNKS + at_col / OUT_VECTOR, tile());
    }
    __device__ __forceinline__ int row(int at) const { return tile().row + at; }
    __device__ __forceinline__ int col(int at) const { return tile().col + at; }
    __device__ __forceinline__ bool has_row(int at) const { return row(at) < tile().rows; }
    __device__ __forceinline__ bool has_column(int at) const {
        return at < COLS && col(at) < tile().cols;
    }
    // How many of the OUT_VECTOR elements from there on lie inside the output.
    __device__ __forceinline__ int valid(int at_row, int at_col) const {
        return chunk(at_row, at_col).valid;
    }
    __device__ __forceinline__ Staged* at(int at_row, int at_col) const {
        return staged + in_epilogue_tile(at_row, at_col);
    }
    __device__ __forceinline__ void load(Sums<OUT_VECTOR>& sums, int at_row, int at_col) const {
        load_sums(sums, staged, chunk(at_row, at_col));
    }
    // Which partial values those of this pass are: of its rows, and of its columns.
#if N_CONTIGUOUS
    __device__ __forceinline__ int part_of_rows() const { return col0 / STORED_N; }
    __device__ __forceinline__ int part_of_columns() const { return tile().row / MMA_M; }
#else
    __device__ __forceinline__ int part_of_rows() const { return tile().col / MMA_M; }
    __device__ __forceinline__ int part_of_columns() const {
        return row0 / STORED_N * ATOM_PASSES + pass % ATOM_PASSES;
    }
#endif
};
