// residual, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 3, 3], b = [3, 3, 4]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn residual(
//         a: Mat<bf16, M, K>,
//         b: Mat<bf16, K, N>,
//         scale: Vector<f32, M>,
//         bias: Vector<bf16, N>,
//         previous: Mat<bf16, M, N>,
//         alpha: f32,
//         beta: f32,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_bias
#define ALIGN_bias 16
#endif
#ifndef ALIGN_previous
#define ALIGN_previous 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
//> bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 36864;
//| assertions-9dba4853
//> Sum-94c25c4c
//| TileA-fa527f49 offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-cb23c343

//| TileB-db410ecf offset-7f87d10a below-35f28bc5 TRANSPOSED-1bc3abc4 assertions-2598f009

//| Out-eb4cecdd
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-23e84999
//> mma-d39a4fa1 mainloop-c1d8e32a times_sigmoid-4976448b silu-fc8bbe93
__device__ __forceinline__ float body(
        const float acc,
        const float scale,
        const float bias,
        const float previous,
        const float alpha,
        const float beta) {
    return alpha * scale * silu(acc + bias) + beta * previous;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const f32* scale;
    const bf16* bias;
    const bf16* previous;
    long long ld_previous;
    float alpha;
    float beta;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        f32 scale;
        __align__(16) bf16 bias[COUNT];
        __align__(16) bf16 previous[COUNT];
    };
//| read-58ee0bb9
    // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT],
        const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(
                sums[i],
                to_value(read.scale),
                to_value(read.bias[i]),
                to_value(read.previous[i]),
                alpha,
                beta);
        }
    }
};
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) residual_0fb648e3ae25cf91(
    int m, int n, int k,
    const bf16* a, long long ld_a,
    const bf16* b, long long ld_b,
    const f32* scale,
    const bf16* bias,
    const bf16* previous, long long ld_previous,
    float alpha,
    float beta,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {scale, bias, previous, ld_previous, alpha, beta};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
