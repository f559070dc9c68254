// deep_doubles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 8],
//         warps   = [4, 2],
//         mma     = m16n8k4,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 1, 2],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90, sm_100, sm_120],
//     )]
//     fn deep_doubles(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 8;
constexpr int WARPS_M = 4, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 69632;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| TileA-b3b3024f offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-33e9b1dd assertions-6d04f4f2

//| TileB-89f218f1 offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-e5c45656 assertions-7562ab89

//| Out-486f4090
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-96ac783b
//> mma-d39a4fa1 mainloop-c1d8e32a body-aec37cfb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) deep_doubles_87aa93548c374aba(
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
