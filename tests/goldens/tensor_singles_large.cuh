// tensor_singles_large, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [192, 256, 32],
//         warps   = [2, 4],
//         mma     = m16n8k8,
//         precision = tf32,
//         copy    = tma,
//         swizzle = [3, 2, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor_singles_large(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 192, BLK_N = 256, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 4, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 229440;
//| assertions-9dba4853
//> Sum-94c25c4c TensorMap-6a8b692e Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-81539700 box-016ed81f TRANSPOSED-692fcc20

//| TileB-ee8f4dcf box-7bdd4d5e TRANSPOSED-338e42e6

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-7aa2b00b
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf mbarrier_init-ae866601
//> mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145
//> mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-db44ef5c shared_to_register-33844035
//> mma_atom-80b527da mainloop-5e9707cf body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_singles_large_c8b432d995393c28(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
