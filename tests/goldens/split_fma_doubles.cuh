// split_fma_doubles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [12, 24, 8],
//         warps   = [1, 1],
//         mma     = fma(3, 3),
//         copy    = ld_global(8),
//         swizzle(a = [0, 1, 1], b = [2, 1, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_75, sm_80],
//         allow(bank_conflicts),
//     )]
//     fn split_fma_doubles(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 12, BLK_N = 24, BLK_K = 8;
constexpr int WARPS_M = 1, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 12, MMA_N = 24, MMA_K = 2;
constexpr int A_REGISTERS = 12, B_REGISTERS = 12, C_REGISTERS = 9;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 4608;
//| assertions-9dba4853
//> Sum-dc4a8a91
// The lanes of a warp: each has LANE_M x LANE_N sums of an atom, in runs of neighbours. The
// runs of the lanes are interleaved.
constexpr int LANES_M = 4, LANES_N = 8;
constexpr int LANE_M = 3, LANE_N = 3, RUN_M = 1, RUN_N = 1;
constexpr int RUNS_M = WARP_M / (LANES_M * RUN_M), RUNS_N = WARP_N / (LANES_N * RUN_N);
//| assertions-7b9f2fdb
//> Lane-9fa24dec
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f64, BLK_K, BLK_M, Swizzle<0, 1, 1>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = RUN_M, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-96430757 held-0112468d

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f64, BLK_N, BLK_K, Swizzle<2, 1, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_b < 8 ? ALIGN_b : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-cf0d52fa held-d4baa71f

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 3, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 0;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-c682ba5b share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd load_shared-4f0c7563 shared_to_register-f92d1137 factor-b4d685a9
//> mma_atom-d212b444 mma-d39a4fa1 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-aec37cfb load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Run-1a5ab7c1 stage-efdc17e8
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_fma_doubles_4a6d8d4eb1fd4d00(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    f64* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(a, ld_a, part), ld_a, block.m, m, part.k);
    SourceB source_b(skip<TileB>(b, ld_b, part), ld_b, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
