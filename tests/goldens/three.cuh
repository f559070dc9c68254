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
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4, 2 or 1. A launch that can promise less defines less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_bias
#define ALIGN_bias 16
#endif
#ifndef ALIGN_out0
#define ALIGN_out0 16
#endif
#ifndef ALIGN_out1
#define ALIGN_out1 16
#endif
#ifndef ALIGN_out2
#define ALIGN_out2 16
#endif
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
//| TileA-ed858eb2 offset-46c8dcf0 below-35f28bc5 TRANSPOSED-8ac1a122 assertions-875c98b9

//| TileB-990cc930 offset-46c8dcf0 below-35f28bc5 TRANSPOSED-a37afb80 assertions-4e31eb03

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
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-947e71e1
//> mma-d39a4fa1 mainloop-c1d8e32a wrapping_add-ed71f3a8 wrapping_neg-feb62117 wrapping_div-7dc2269b
__device__ __forceinline__ Result body(const int acc, const float scale, const int bias) {
    const int sum = wrapping_add(acc, bias);
    return Result{sum, float(sum) * (scale * 0.001f), wrapping_add(wrapping_div(sum, 256), 100)};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
// What the body reads beside the accumulator.
struct Values {
    float scale;
    const i32* bias;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        int at_bias[COUNT];
        load<ALIGN_bias>(at_bias, bias + col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], scale, at_bias[i]);
        }
    }
};

// What the results of the body are stored to.
struct Outputs {
    i32* out0;
    long long ld_out0;
    f16* out1;
    long long ld_out1;
    u8* out2;
    long long ld_out2;
    // Stores COUNT results of `row` from `col` on, each value to its output; the first `valid`
    // lie inside.
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        int of_out0[COUNT];
        float of_out1[COUNT];
        int of_out2[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            of_out0[i] = results[i].out0;
            of_out1[i] = results[i].out1;
            of_out2[i] = results[i].out2;
        }
        ::store<ALIGN_out0>(out0 + row * ld_out0 + col, of_out0, valid);
        ::store<ALIGN_out1>(out1 + row * ld_out1 + col, of_out1, valid);
        ::store<ALIGN_out2>(out2 + row * ld_out2 + col, of_out2, valid);
    }
};
//> Pair-1190f24c stage-28e1e99f epilogue-a27c6681
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) three_1a78fef58b55344b(
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
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {to_value(*scale), bias};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
