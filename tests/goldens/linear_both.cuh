// linear_both, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn linear_both(
//         x: Mat<f16, M, K>,
//         w: Mat<f16, N, K>,
//         bias: Vector<f16, N>,
//     ) -> (Mat<f32, M, N>, Mat<f16, M, N>)
//
// out0(M, N), out1(M, N) = body(sum over K of x * w), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_w
#define ALIGN_w 16
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
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65536;
//| assertions-9dba4853
//> Sum-94c25c4c
//| TileA-c7db66da offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

//| TileB-82d339bf offset-d8442927 below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| Result-7f280fbf
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-c1d8e32a gelu-9a579903
__device__ __forceinline__ Result body(const float acc, const float bias) {
    const float z = acc + bias;
    return Result{z, gelu(z)};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-f7257bba apply-72524c25

//| Outputs-4f5b585d store-e0dee4d0
//> Pair-1190f24c stage-28e1e99f epilogue-a27c6681
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) linear_both_261fa06ce667d3c4(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* w, long long ld_w,
    const f16* bias,
    f32* out0, long long ld_out0,
    f16* out1, long long ld_out1) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, x, ld_x, w, ld_w, m, n, k);
    const Values values = {bias};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
