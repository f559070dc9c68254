// fma_norms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 16],
//         warps   = [2, 1],
//         mma     = fma(4, 4),
//         copy    = cp_async(4, ca),
//         swizzle = [0, 2, 2],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_norms(
//         x: Mat<f32, M, K>,
//         w: Mat<f32, N, K>,
//         residual: Mat<f32, M, N>,
//     ) -> (Mat<f32, N, M>, Vector<f32, M>, Vector<f32, N>)
//
// out0(N, M), out1(M), out2(N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_w = 16;
constexpr int ALIGN_out0 = 16;
//> f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 1;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 26112;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-ac0d510e
//| ColumnTile-a6a6e07e offset-59772856 below-e28fa45d

// A, the operand `x`, in shared memory.
struct TileA : ColumnTile<f32, BLK_M, BLK_K, 4> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 4 ? ALIGN_x : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = RUN_M, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-2f134dba held-0112468d

// B, the operand `w`, in shared memory.
struct TileB : ColumnTile<f32, BLK_N, BLK_K, 4> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 4 ? ALIGN_w : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-8f772567 held-4030c483

// The outputs: N rows of M elements each, staged PASS_RUNS runs of each lane at a time.
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = 4;  // elements of a row that a thread has
constexpr int PASS_RUNS = 2, PASSES = RUNS_N / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_N * RUN_N), WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_RUNS == RUNS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 store_shared-5a3e414c copy_async-bb792eba
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-4f0c7563 shared_to_register-f92d1137
//> factor-26fda35f mma_atom-37b13ef8 mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689
//> prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1
__device__ __forceinline__ Result body(const float acc, const float residual) {
    const float h = acc + residual;
    return Result{h, h, h * h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixStrided-ee1055e2 read-c5ac0722

// What the body reads beside the accumulator.
struct Values {
    MatrixStrided<f32> residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> residual;
    };
//| read-733cc3dc apply-870db3d3

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f32, float, ALIGN_out0> out0;
//| store-b0664299
//> Run-b1905141 stage-5cf94d03 load_staged-d1bbd2b1 load_sums-7ebf2644
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out2;  // its sum
//| partials_of-e7eb10d6 identity-9bfb41b1 element-c6293344 combined-44e8dbe8
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out2[line], value);
    }
};


// What each column of the output is reduced to.
struct ColumnReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out1;  // its sum
//| partials_of-e7eb10d6 identity-9bfb41b1 element-9d33ecbd combined-44e8dbe8 store-6f2e0ff5
//> staged_column-1a8901b3
//| StagedTile-ece1999d row-c72605ff col-127be05f at-34d13408 load-bff90474 part_of_rows-6b298f08

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e

//| Columns-d9b162bd start-6ee6b977 take-86a1898c reduce-ae9f6002
//> count_in-590de4b0 finish-92cb80d2
//| Reductions-58613a52 start-8395c9ae take-efa0dc0b reduce-e96a1c0c finish-cdd76ad2
//> apply_and_reduce-852200da epilogue-cf42c007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_norms_18b68609a3791bed(
    int m, int n, int k,
    const f32* x, long long ld_x,
    const f32* w, long long ld_w,
    const f32* residual, long long ld_residual,
    f32* out0, long long ld_out0,
    f32* out1,
    f32* out2,
    void* partials_m, unsigned* arrivals_m,
    void* partials_n, unsigned* arrivals_n) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {residual, ld_residual};
    const Outputs outputs = {out0, ld_out0};
    const RowReductions of_rows = {RowReductions::partials_of(partials_n, arrivals_n, 0, n, m),
        out2};
    const ColumnReductions of_columns =
        {ColumnReductions::partials_of(partials_m, arrivals_m, 0, m, n), out1};
    epilogue(acc, shared.staged, warp, values, outputs, {{of_rows}, {of_columns}}, block.n, block.m,
        n, m);
}
