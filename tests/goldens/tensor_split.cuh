// tensor_split, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_90],
//     )]
//     fn tensor_split(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65600;
//| assertions-9dba4853
//> Sum-94c25c4c TensorMap-4eb42d3a Box-9697fac4
//| TileA-d264aab6 box-016ed81f offset-91c9d6c0 below-35f28bc5 TRANSPOSED-ddab6f07
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-d5d108e5 box-7bdd4d5e offset-91c9d6c0 below-35f28bc5 TRANSPOSED-f25c199e
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

//| Out-5078ae01
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

//| Stage-7d5f5927
static_assert(STAGE_BYTES == 16384, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> SPLITS-790bd96f share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d raster-774b3866
//> warps-6ba616d0 CONSUMERS-b87c24fb mbarrier_init-ae866601 mbarrier_init_fence-e059ac62
//> fence_proxy_async-1c16b873 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 copy_box-2c6e4cbe global_to_shared-24d28b00
//> ldmatrix_x4-d405aef7 lane_row-f30f30fb shared_to_register-33844035 mma_atom-a894416e
//> mainloop-f587d510 body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_split_1da6267b9f21ef5f(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f16* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(acc, shared, block, warp, a, b, part.from, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
