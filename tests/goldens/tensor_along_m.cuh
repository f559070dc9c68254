// tensor_along_m, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 48, 64],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_90],
//     )]
//     fn tensor_along_m(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f16-14d17a46 f32-4eeb73e9
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
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| PanelTile-24754aaa offset-eb0d3294

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-99e24794 box-c1e0115a TRANSPOSED-1046cecf

//| TileB-11975b49 box-7bdd4d5e TRANSPOSED-6ef2373a

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-da645f04

constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 12288, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33 raster-2aaf554e
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-54af652c ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-ee1058d6
//> shared_to_register-00a95ef5 mma_atom-a894416e mainloop-5e9707cf body-de9848cb Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-e20323ac
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_along_m_61c5813799d2dd62(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, part.from, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
