// tensor_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 64],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn tensor_products(
//         x: Mat<bf16, M, K>,
//         gate: Mat<bf16, N, K>,
//         up: Mat<bf16, N, K>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sum over K of x * gate), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 98352;
//| assertions-9dba4853

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| TileA-90d41300 box-016ed81f offset-91c9d6c0 below-35f28bc5 TRANSPOSED-ddab6f07
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileB {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e offset-91c9d6c0 below-35f28bc5 TRANSPOSED-f25c199e
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> PartOfB-ba4cd795
//| Out-73974887
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

//| Stage-7d5f5927 assertions-e97f1d88
//> raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb mbarrier_init-ae866601
//> mbarrier_init_fence-e059ac62 fence_proxy_async-1c16b873 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-4beab874 ldmatrix_x4-d405aef7 lane_row-f30f30fb
//> shared_to_register-33844035 mma_atom-23e84999 mainloop-f587d510 times_sigmoid-4976448b
//> silu-fc8bbe93 body-465bc590 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-a04ac983
//> Pair-1190f24c stage-28e1e99f load_sums-dcf9e1a0 load_sums-ffe01cb6 epilogue-57ef4358
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_products_23040bda500f9bfd(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap gate,
    const __grid_constant__ TensorMap up,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const MapsOfB factors_of_b = {{&gate, &up}};
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, x, factors_of_b, 0, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n / PRODUCTS, m, n);
}
