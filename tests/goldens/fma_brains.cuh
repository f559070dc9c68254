// fma_brains, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [1, 1],
//         mma     = fma(4, 4),
//         copy    = cp_async(16, cg),
//         swizzle(a = [0, 3, 3], b = [3, 3, 4]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_brains(a: Mat<bf16, K, M>, b: Mat<bf16, N, K>) -> Mat<bf16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 1, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 2;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<0, 3, 3>.
struct TileA {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e LANES-d6c970e5 held-0112468d assertions-cb23c343

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 3, 4>.
struct TileB {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (linear ^ ((linear & 0x380) >> 4));
    }
//| below-38427b69 LANES-88a95072 held-d4baa71f assertions-2598f009

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 4, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-4f0c7563 shared_to_register-f92d1137 factor-998e2f67
//> mma_atom-cda9a02d mma-d39a4fa1 mainloop-c1d8e32a body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-68974764
//> Run-1a5ab7c1 stage-efdc17e8 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_brains_c65fc42ddc50e817(
    int m, int n, int k,
    const bf16* a, long long ld_a,
    const bf16* b, long long ld_b,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(256) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
