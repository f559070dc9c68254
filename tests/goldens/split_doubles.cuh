// split_doubles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [24, 48, 8],
//         warps   = [1, 1],
//         mma     = m8n8k4,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 1, 2], b = [2, 2, 2]),
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn split_doubles(
//         a: Mat<f64, M, K>,
//         b: Mat<f64, K, N>,
//         bias: Vector<f64, N>,
//         alpha: f64,
//     ) -> Mat<f64, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 24, BLK_N = 48, BLK_K = 8;
constexpr int WARPS_M = 1, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 13824;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| TileA-b3b3024f offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-e5c45656 assertions-6d04f4f2

//| TileB-968ac923 offset-7d2c8625 below-f1df5c04 ATOM_REGISTERS-d79f3445 assertions-7562ab89

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 2;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5
constexpr int SPLITS = 3;
static_assert(sizeof(Accumulators) * THREADS == 9216, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d raster-774b3866 warps-6ba616d0
//> CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-df0420c2 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-b36b4035
//> mma-d39a4fa1 mainloop-c1d8e32a
__device__ __forceinline__ double body(const double acc, const double bias, const double alpha) {
    return alpha * acc + bias;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-276e3a34 apply-7c4300e5
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-e20323ac epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_doubles_9fb499bb47a1f0c7(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f64* bias,
    double alpha,
    f64* out, long long ld_out,
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
    const Values values = {bias, alpha};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
