// requantized, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [3, 4, 3], b = [1, 4, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn requantized(
//         a: Mat<u8, K, M>,
//         b: Mat<i8, N, K>,
//         bias: Vector<i32, N>,
//         scale: Vector<f32, M>,
//     ) -> Mat<i8, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-a42c67e3 f32-4eeb73e9 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-6714319e
//| TileA-ac8b300d offset-c8b05768 below-d35c08dd X4_BYTES_MN-a3af763d place-c0dfe236
//| assertions-9ddd271d

//| TileB-630cbb1d offset-6fcde67c below-35f28bc5
    static constexpr bool TRANSPOSED = false;
    static constexpr int X4_MN = 32;  // extent of four matrices
    // Where matrix 0..4 of an x4 load begins, and the offset of its row number `line`, for
    // the load `further` elements along m (or n).
    static __device__ __forceinline__ int matrix_mn(int matrix) { return matrix * 8; }
    static __device__ __forceinline__ int matrix_k(int /*matrix*/) { return 0; }
    static __device__ __forceinline__ int matrix_row(
            int mn, int k, int line, int further) {
        return below(offset(mn + line, k), mn + line, k, further);
    }
//| TURNS-1034b3f9 assertions-42da6015

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef i8 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334
//> ldmatrix_x4_trans-e73c3889 shared_to_register-37d37121
// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(int (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 mainloop-c1d8e32a wrapping_add-ed71f3a8
__device__ __forceinline__ float body(const int acc, const int bias, const float scale) {
    return float(wrapping_add(acc, bias)) * scale * 0.002f;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
// What the body reads beside the accumulator.
struct Values {
    const i32* bias;
    const f32* scale;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        int at_bias[COUNT];
        load<ALIGN_bias>(at_bias, bias + col, valid);
        const float at_scale = to_value(scale[row]);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], at_scale);
        }
    }
};
//> line-dd6c73d5 RUN-b657c434 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) requantized_da0893cf0f3c068d(
    int m, int n, int k,
    const u8* a, long long ld_a,
    const i8* b, long long ld_b,
    const i32* bias,
    const f32* scale,
    i8* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {bias, scale};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
