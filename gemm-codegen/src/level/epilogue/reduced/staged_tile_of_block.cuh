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
    __device__ __forceinline__ int row(int at) const {
        return row0 + at / PASS_ROWS * WARP_ROWS + pass * PASS_ROWS + at % PASS_ROWS;
    }
    __device__ __forceinline__ int col(int at) const { return col0 + at; }
    __device__ __forceinline__ bool has_row(int at) const { return row(at) < rows; }
    __device__ __forceinline__ bool has_column(int at) const { return at < COLS && col(at) < cols; }
    // How many of the OUT_VECTOR elements from there on lie inside the output.
    __device__ __forceinline__ int valid(int at_row, int at_col) const {
        return row(at_row) < rows ? min(max(cols - col(at_col), 0), OUT_VECTOR) : 0;
    }
    __device__ __forceinline__ Sum* at(int at_row, int at_col) const {
        return staged + at_row * STAGED_PITCH + staged_column(at_col);
    }
    __device__ __forceinline__ void load(Sums<OUT_VECTOR>& sums, int at_row, int at_col) const {
        load_sums(sums, staged + at_row * STAGED_PITCH, at_col);
    }
    // Which partial values those of this pass are: of its rows, and of its columns.
    __device__ __forceinline__ int part_of_rows() const { return col0 / COLS; }
    __device__ __forceinline__ int part_of_columns() const {
        return row0 / (PASSES * STAGED_ROWS) * PASSES + pass;
    }
};
