// tensor_batched, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 48, 64],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor_batched(
//         a: Batched<f16, B, K, M>,
//         b: Mat<f16, N, K>,
//         residual: Batched<f16, B, M, N>,
//     ) -> Batched<f16, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_residual-63a94f67 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 48, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 43056;
//| assertions-9dba4853
//> Sum-7221478b TensorMap-d3462307 Box-635e1a60
//| TileA-632fd941
    static __device__ __forceinline__ BatchBox box(Block block, int k0) {
        return {block.m, k0, block.batch};
    }
//| offset-365b31f9 TRANSPOSED-a5c04326 assertions-a3043708

//| TileB-3415c31e box-7bdd4d5e offset-91c9d6c0 below-35f28bc5 TRANSPOSED-f25c199e
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

//| Out-5078ae01
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

//| Stage-7d5f5927 assertions-45957616
//> raster-9b7d8b7b warps-6ba616d0 CONSUMERS-b87c24fb mbarrier_init-ae866601
//> mbarrier_init_fence-e059ac62 fence_proxy_async-1c16b873 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe copy_box-2caac2fa global_to_shared-54af652c ldmatrix_x4-d405aef7
//> lane_row-86e2fea2 shared_to_register-00a95ef5 mma_atom-a894416e mainloop-f587d510 body-1f1d72cf
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const f16* residual;
    long long ld_residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f16 residual[COUNT];
    };
//| read-9b0515b2 apply-214b02c9
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_batched_2a61ebe356e1a756(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f16* residual, long long ld_residual, long long stride_residual,
    f16* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    // The block's matrix of each batch; what is none is the same for all.
    residual += block.batch * stride_residual;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {residual, ld_residual};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
