// pdl_weights, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [16, 64, 128],
//         warps   = [1, 2, 4],
//         mma     = m16n8k16,
//         copy(a = cp_async(16, cg), b = cp_async(16, cg, evict_first)),
//         swizzle = [3, 3, 4],
//         stages  = 4,
//         raster  = along_m(8),
//         pdl     = [w],
//         targets = [sm_90],
//     )]
//     fn pdl_weights(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
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
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 16, BLK_N = 64, BLK_K = 128;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 4;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 81920;
//| assertions-9dba4853
//> Sum-94c25c4c evict_first-d16f1445
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 3, 4>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = false;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return 0; }
//| offset-7f87d10a below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 3, 4>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_first(); }
//| offset-7f87d10a below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| Out-d6f93a6f
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-b18ece6c CONSUMERS-b87c24fb wait_for_predecessor-974059a8
//> launch_dependents-1d1a91c5 cp_async_ca-e4dcc6c2 cp_async_cg-5d3b638c store_shared-5a3e414c
//> copy_async-88023fdc cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bcc6814a Source-79f2145a row-66dd1e83
//> global_to_shared-d1845159 ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1
// Starts the copies of all stages but the last.
// The predecessor kernel does not write B, whose copies are issued before the wait.
// The first group of copies has all of them.
__device__ __forceinline__ void prologue(
    unsigned ring, Source<TileA>& source_a, Source<TileB>& source_b) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
    }
    wait_for_predecessor();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
        cp_async_commit();
    }
    launch_dependents();
}
//> mainloop-69177c79 gelu-9a579903 body-61e5f939 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-f7257bba apply-72524c25
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) pdl_weights_2c7d1bd864a8ea70(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* w, long long ld_w,
    const f16* bias,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, x, ld_x, w, ld_w, m, n, k);
    const Values values = {bias};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
