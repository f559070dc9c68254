// batched_a, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 3, 3], b = [3, 3, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn batched_a(
//         a: Batched<f16, B, M, K>,
//         b: Mat<f16, K, N>,
//         scale: Batched<f32, B, M>,
//         bias: Vector<f16, N>,
//         previous: Batched<f16, B, M, N>,
//         alpha: f32,
//     ) -> Batched<f16, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distances of its rows and matrices and, of
// A and B, the length of a row: 16, 8, 4 or 2. A launch that can promise less defines
// less.
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
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-7221478b
//| TileA-47e90b12 offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

//| TileB-28e9c73d offset-91c9d6c0 below-35f28bc5 TRANSPOSED-1bc3abc4 assertions-63892e04

//| Out-5078ae01
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-9b7d8b7b warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-c1d8e32a relu-5d722858
__device__ __forceinline__ float body(
        const float acc,
        const float scale,
        const float bias,
        const float previous,
        const float alpha) {
    return alpha * scale * relu(acc + bias) + previous;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const f32* scale;
    const f16* bias;
    const f16* previous;
    long long ld_previous;
    float alpha;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        f32 scale;
        __align__(16) f16 bias[COUNT];
        __align__(16) f16 previous[COUNT];
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
                alpha);
        }
    }
};
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) batched_a_656a466a69cb5a37(
    int m, int n, int k,
    const f16* a, long long ld_a, long long stride_a,
    const f16* b, long long ld_b,
    const f32* scale, long long stride_scale,
    const f16* bias,
    const f16* previous, long long ld_previous, long long stride_previous,
    float alpha,
    f16* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    // The block's matrix of each batch; what is none is the same for all.
    a += block.batch * stride_a;
    scale += block.batch * stride_scale;
    previous += block.batch * stride_previous;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {scale, bias, previous, ld_previous, alpha};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
