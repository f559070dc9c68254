// split_batched_doubles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 32, 8],
//         warps   = [2, 1],
//         mma     = m8n8k4,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 1, 2], b = [3, 1, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 4,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn split_batched_doubles(
//         a: Mat<f64, M, K>,
//         b: Batched<f64, B, K, N>,
//         alpha: f64,
//     ) -> Batched<f64, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// K is split among 4 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-23c06ce6 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 32, BLK_K = 8;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853

typedef double Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int batch, m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

//| TileA-b3b3024f offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-e5c45656 assertions-6d04f4f2

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<3, 1, 3>.
struct TileB {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-57845d60 below-f1df5c04 ATOM_REGISTERS-09d740e4 assertions-7562ab89

//| Out-2930eda2
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 SPLITS-92c34d85 share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d
//> raster-9b7d8b7b warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4
//> store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-b36b4035
//> mma-d39a4fa1 mainloop-c1d8e32a
__device__ __forceinline__ double body(const double acc, const double alpha) {
    return alpha * acc;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
// What the body reads beside the accumulator.
struct Values {
    double alpha;
//| apply-ba2e7ea6
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_batched_doubles_3b224b9c99238aed(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b, long long stride_b,
    double alpha,
    f64* out, long long ld_out, long long stride_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    // The block's matrix of each batch; what is none is the same for all.
    b += block.batch * stride_b;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {alpha};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
