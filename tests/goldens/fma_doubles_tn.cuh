// fma_doubles_tn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 8],
//         warps   = [2, 2],
//         mma     = fma(8, 8),
//         copy    = ld_global(16),
//         swizzle = [0, 1, 1],
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_75, sm_80, sm_90],
//     )]
//     fn fma_doubles_tn(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 8;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 32, MMA_N = 64, MMA_K = 1;
constexpr int A_REGISTERS = 16, B_REGISTERS = 16, C_REGISTERS = 64;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| LANES_M-b8bdfb93 assertions-7b9f2fdb
//> Lane-9fa24dec
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<0, 1, 1>.
struct TileA {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e LANES-e7b233d3 held-0112468d assertions-6d04f4f2

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<0, 1, 1>.
struct TileB {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e LANES-723603da held-4030c483 assertions-7562ab89

//| Out-d85f6a23
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 load_shared-4f0c7563
//> shared_to_register-f92d1137 factor-b4d685a9 mma_atom-d212b444 mma-d39a4fa1 mainloop-560a2e60
//> body-aec37cfb load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Run-1a5ab7c1 stage-efdc17e8 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_doubles_tn_afb65805ee1a7382(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    f64* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
