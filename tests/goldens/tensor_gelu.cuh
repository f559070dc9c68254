// tensor_gelu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 48, 64],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor_gelu(
//         a: Mat<bf16, M, K>,
//         b: Mat<bf16, N, K>,
//         bias: Vector<bf16, N>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 48, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 28704;
//| assertions-9dba4853
//> Sum-94c25c4c TensorMap-4eb42d3a Box-9697fac4
//| TileA-90d41300 box-016ed81f offset-91c9d6c0 below-35f28bc5 TRANSPOSED-ddab6f07
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-c6170872 box-7bdd4d5e offset-91c9d6c0 below-35f28bc5 TRANSPOSED-f25c199e
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");

//| Stage-7d5f5927 assertions-45957616
//> raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb mbarrier_init-ae866601
//> mbarrier_init_fence-e059ac62 fence_proxy_async-1c16b873 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-24d28b00 ldmatrix_x4-d405aef7 lane_row-f30f30fb
//> shared_to_register-33844035 mma_atom-23e84999 mainloop-f587d510 gelu-9a579903 body-61e5f939
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-69b15af8 apply-60c49ccb
//> Pair-1190f24c stage-e20323ac epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_gelu_175b00c34627fd85(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const bf16* bias,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {bias};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
