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
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9
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

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-8dd7e30e box-016ed81f TRANSPOSED-e928c892

//| TileB-99e585cd box-7bdd4d5e TRANSPOSED-6ef2373a

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef bf16 Out;
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
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf mbarrier_init-ae866601
//> mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145
//> mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-db44ef5c shared_to_register-33844035
//> mma_atom-23e84999 mainloop-5e9707cf gelu-9a579903 body-61e5f939 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| Values-941ffb5b apply-54b4d9ef

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_gelu_d748f9f9e74486af(
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
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
