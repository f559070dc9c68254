// along_k_split, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [16, 64, 256],
//         warps   = [1, 2, 4],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [3, 4, 4],
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn along_k_split(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-93bee1d5 i8-b75b6f90 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 16, BLK_N = 64, BLK_K = 256;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 4;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 40960;
//| assertions-9dba4853
//> Sum-6714319e
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 4, 4>.
struct TileA {
    typedef i8 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-5bb0aec1 below-35f28bc5 TRANSPOSED-8ac1a122 assertions-875c98b9

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 4, 4>.
struct TileB {
    typedef i8 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-5bb0aec1 below-35f28bc5 TRANSPOSED-a37afb80 assertions-42da6015

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef i32 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 SPLITS-790bd96f share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d
//> raster-774b3866 warps-b18ece6c CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4
//> store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-f0d8a242
//> mma-d39a4fa1 mainloop-c1d8e32a body-09afdba5 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) along_k_split_023278d302ca520d(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const i8* b, long long ld_b,
    i32* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
