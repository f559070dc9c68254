// swiglu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn swiglu(x: Mat<f16, M, K>, gate: Mat<f16, N, K>, up: Mat<f16, N, K>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of x * gate), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_gate
#define ALIGN_gate 16
#endif
#ifndef ALIGN_up
#define ALIGN_up 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
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
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 49152;
//| assertions-9dba4853

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| TileA-c7db66da offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = (ALIGN_up < ALIGN_gate ? ALIGN_up : ALIGN_gate) < 16
        ? (ALIGN_up < ALIGN_gate ? ALIGN_up : ALIGN_gate) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-d8442927 below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

//| Out-5078ae01
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-09941c2f
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-078fb77d times_sigmoid-4976448b silu-fc8bbe93 body-465bc590 Word-b35982a9
//> load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-a04ac983
//> Pair-1190f24c stage-28e1e99f load_sums-dcf9e1a0 load_sums-ffe01cb6 epilogue-57ef4358
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) swiglu_fcb9352d934cf727(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* gate, long long ld_gate,
    const f16* up, long long ld_up,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    const FactorsOfB factors_of_b = {{gate, up}, {ld_gate, ld_up}};
    mainloop(acc, shared, block, warp, x, ld_x, factors_of_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n / PRODUCTS, m, n);
}
