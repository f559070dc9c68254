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
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_residual-975376ac f16-14d17a46 f32-4eeb73e9
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
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| PanelTile-24754aaa offset-eb0d3294

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-99e24794
    static __device__ __forceinline__ BatchBox box(Block block, int k0) {
        return {block.m, k0, block.batch};
    }
//| TRANSPOSED-1046cecf

//| TileB-11975b49 box-7bdd4d5e TRANSPOSED-6ef2373a

//| Out-4810efb1
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-da645f04
//> TileIndex-8baeca33 raster-d5c0e186 warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf mbarrier_init-ae866601
//> mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145
//> mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe copy_box-2caac2fa
//> global_to_shared-54af652c ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-ee1058d6
//> shared_to_register-00a95ef5 mma_atom-a894416e mainloop-5e9707cf body-1f1d72cf Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f16, ALIGN_residual> residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f16, COUNT> residual;
    };
//| read-733cc3dc apply-870db3d3

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_batched_58f3a3e42e2cf9db(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f16* residual, long long ld_residual, long long stride_residual,
    f16* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    residual += block.batch * stride_residual;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {residual, ld_residual};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
