// tensor_shallow, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [1, 2],
//         mma     = m16n8k8,
//         acc     = f16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor_shallow(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 49200;
//| assertions-9dba4853
//> Sum-526f9a8e TensorMap-4eb42d3a Box-9697fac4
//| TileA-d264aab6 box-016ed81f offset-91c9d6c0 below-35f28bc5 TRANSPOSED-eb767a0b
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-d5d108e5 box-7bdd4d5e offset-91c9d6c0 below-35f28bc5 TRANSPOSED-eb767a0b
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

//| Out-92ebe3d8
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

//| Stage-7d5f5927 assertions-09195920
//> raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb mbarrier_init-ae866601
//> mbarrier_init_fence-e059ac62 fence_proxy_async-1c16b873 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-24d28b00 ldmatrix_x4-d405aef7 lane_row-f30f30fb
//> shared_to_register-33844035 mma_atom-45693942 mainloop-f587d510 body-de9848cb Word-b35982a9
//> load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-0843fc4d stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_shallow_68385119e3a44ba8(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
