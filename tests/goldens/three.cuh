// three, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn three(
//         a: Mat<i8, M, K>,
//         b: Mat<u8, N, K>,
//         scale: Scalar<f32>,
//         bias: Vector<i32, N>,
//     ) -> (Mat<i32, M, N>, Mat<f16, M, N>, Mat<u8, M, N>)
//
// out0(M, N), out1(M, N), out2(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_bias = 16;
constexpr int ALIGN_out0 = 16;
constexpr int ALIGN_out1 = 16;
constexpr int ALIGN_out2 = 16;
//> f16-14d17a46 f32-4eeb73e9 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-6714319e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-71da49eb
// B, the operand `b`, in shared memory.
struct TileB : RowTile<u8, BLK_N, BLK_K, Swizzle<2, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 16;  // matrices along k, extent of one
};

// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { int out0; float out1; int out2; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(i32));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));
constexpr int OUT2_VECTOR = ALIGN_out2 / int(sizeof(u8));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, fewer(OUT1_VECTOR, OUT2_VECTOR));
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-947e71e1 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 wrapping_add-ed71f3a8 wrapping_neg-feb62117
//> wrapping_div-7dc2269b
__device__ __forceinline__ Result body(const int acc, const float scale, const int bias) {
    const int sum = wrapping_add(acc, bias);
    return Result{sum, float(sum) * (scale * 0.001f), wrapping_add(wrapping_div(sum, 256), 100)};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-1e0707d9 read-9e33f8b1

// What the body reads beside the accumulator.
struct Values {
    float scale;
    VectorRun<i32, int, ALIGN_bias> bias;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_bias = bias.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], scale, at_bias[i]);
        }
    }
};

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<i32, int, ALIGN_out0> out0;
    Output<f16, float, ALIGN_out1> out1;
    Output<u8, int, ALIGN_out2> out2;
//| store-07cb1c39
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) three_6f854ed108328e3a(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const u8* b, long long ld_b,
    const f32* scale,
    const i32* bias,
    i32* out0, long long ld_out0,
    f16* out1, long long ld_out1,
    u8* out2, long long ld_out2) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {to_value(*scale), bias};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
