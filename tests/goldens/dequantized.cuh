// dequantized, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 4, 3], b = [3, 4, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn dequantized(
//         a: Mat<i8, M, K>,
//         b: Mat<u8, K, N>,
//         scale: Vector<f32, N>,
//         alpha: f32,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
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
#ifndef ALIGN_scale
#define ALIGN_scale 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
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
//| TileA-ed858eb2 offset-46c8dcf0 below-35f28bc5 TRANSPOSED-22e09e97 TURNS-1034b3f9
//| assertions-875c98b9

//| TileB-d63aa189 offset-c8b05768 below-d35c08dd X4_BYTES_MN-b9c39c4d place-d0a12da5
//| assertions-4e31eb03

//| Out-3894c6e3
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334
//> ldmatrix_x4_trans-e73c3889 shared_to_register-37d37121 mma_atom-947e71e1 mma-d39a4fa1
//> mainloop-c1d8e32a
__device__ __forceinline__ float body(const int acc, const float scale, const float alpha) {
    return float(acc) * (0.001f * alpha * scale);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
// What the body reads beside the accumulator.
struct Values {
    const f32* scale;
    float alpha;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        float at_scale[COUNT];
        load<ALIGN_scale>(at_scale, scale + col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_scale[i], alpha);
        }
    }
};
//> line-dd6c73d5 RUN-b657c434 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) dequantized_816bca3ed36f6576(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const u8* b, long long ld_b,
    const f32* scale,
    float alpha,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {scale, alpha};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
