// fma_columns_odd, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [48, 80, 12],
//         warps   = [2, 2],
//         mma     = fma(6, 5),
//         copy(a = cp_async(4, ca), b = cp_async(4, ca, evict_last)),
//         swizzle = [0, 2, 2],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_columns_odd(a: Batched<f32, B, M, K>, b: Mat<f32, N, K>) -> Batched<f32, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-23c06ce6 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 48, BLK_N = 80, BLK_K = 12;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 24, MMA_N = 40, MMA_K = 1;
constexpr int A_REGISTERS = 6, B_REGISTERS = 5, C_REGISTERS = 30;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 27648;
//| assertions-9dba4853
//> Sum-7221478b
//| LANES_M-2d33cb6e assertions-7b9f2fdb
//> Lane-9fa24dec evict_last-e089d0fd
// A in shared memory: BLK_K columns of BLK_M elements, transposed by the copies.
struct TileA {
    typedef f32 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 8) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = false;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return 0; }
//| offset-59772856 below-82a75a17 LANES-ab9f1219 held-0112468d assertions-20d7bbe1

// B in shared memory: BLK_K columns of BLK_N elements, transposed by the copies.
struct TileB {
    typedef f32 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 8) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_last(); }
//| offset-59772856 below-82a75a17 LANES-4742133e held-4030c483 assertions-12af5741

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 3, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-9b7d8b7b warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-e4dcc6c2
//> store_shared-5a3e414c copy_async-ebc4825d cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-bcc6814a Source-79f2145a row-66dd1e83
//> global_to_shared-d1845159 load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f
//> mma_atom-62534571 mma-d39a4fa1 mainloop-8f2248b5 body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-68974764
//> Run-1a5ab7c1 stage-efdc17e8 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_columns_odd_d8301dc41deb9a94(
    int m, int n, int k,
    const f32* a, long long ld_a, long long stride_a,
    const f32* b, long long ld_b,
    f32* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    // The block's matrix of each batch; what is none is the same for all.
    a += block.batch * stride_a;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
