// tensor_in_turn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor_in_turn(
//         x: Mat<f16, M, K>,
//         q: Mat<f16, N, K>,
//         k: Mat<f16, N1, K>,
//         of_q: Vector<f32, N>,
//         of_k: Vector<f32, N1>,
//     ) -> (Mat<f32, M, N>, Mat<f32, M, N1>)
//
// out0(M, N), out1(M, N1) = body(sums over K of x * q and x * k), for any M, N, N1 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_esc_of__q-542ddd0b f16-14d17a46 f32-4eeb73e9
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

constexpr int SEGMENTS = 2;  // products with columns of their own
//> Sum-7e5ef4ba TensorMap-4eb42d3a Box-9697fac4 MapsOfB-8b391299
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f TRANSPOSED-e928c892

// B, one of `q`, `k`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e TRANSPOSED-6ef2373a

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out0 / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-551c1aa5
//> TileIndex-8baeca33 raster-2aaf554e
//| Segments-c73a4cea columns-e8c09564 place-f1922171
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca global_to_shared-17d1b82d ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> lane_row-db44ef5c shared_to_register-33844035 mma_atom-a894416e mainloop-5e9707cf
__device__ __forceinline__ float body(const float acc, const float esc_of__q) {
    return esc_of__q * acc;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-1e0707d9 read-9e33f8b1

// What the body reads beside the accumulator.
struct Values {
    VectorRun<f32, float, ALIGN_esc_of__q> esc_of__q;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_esc_of__q = esc_of__q.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_esc_of__q[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_in_turn_b04c0822c2a16855(
    int m, int n, int k, int n1,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const f32* esc_of__q,
    const f32* esc_of__k,
    f32* out0, long long ld_out0,
    f32* out1, long long ld_out1) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const MapsOfB factors_of_b = {{&q, &k_}};
    const Segments segments = {{n, n1}};
    const Block block = segments.place(raster(m, segments.columns(), int(blockIdx.x)));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, x, factors_of_b, 0, k);
    const Values values = {of_segment(block.segment, esc_of__q, esc_of__k)};
    const Outputs outputs = {of_segment(block.segment, out0, out1),
        of_segment(block.segment, ld_out0, ld_out1)};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m,
        of_segment(block.segment, n, n1));
}
