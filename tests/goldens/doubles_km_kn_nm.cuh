// doubles_km_kn_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 16],
//         warps   = [2, 2],
//         mma     = m8n8k4,
//         copy    = cp_async(16, cg),
//         swizzle = [3, 1, 4],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn doubles_km_kn_nm(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 49152;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| TileA-c55e795c offset-1849670f below-f1df5c04 ATOM_REGISTERS-d79f3445 assertions-6d04f4f2

//| TileB-d6c471e5 offset-1849670f below-f1df5c04 ATOM_REGISTERS-d79f3445 assertions-7562ab89

//| Out-51aec936
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-b36b4035
//> mma-d39a4fa1 mainloop-c1d8e32a body-aec37cfb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-e20323ac epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) doubles_km_kn_nm_298f39cefb930ac8(
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
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
