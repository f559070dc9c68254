// pdl_both, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 4, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         pdl     = [b, a],
//         targets = [sm_90],
//     )]
//     fn pdl_both(a: Mat<i8, M, K>, b: Mat<i8, N, K>, residual: Mat<i32, M, N>) -> Mat<i32, M, N>
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
#ifndef ALIGN_residual
#define ALIGN_residual 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
//> i8-b75b6f90 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853
//> Sum-6714319e
//| TileA-ed858eb2 offset-46c8dcf0 below-35f28bc5 TRANSPOSED-8ac1a122 assertions-875c98b9

//| TileB-b0e5400c offset-46c8dcf0 below-35f28bc5 TRANSPOSED-a37afb80 assertions-42da6015

//| Out-e94d794f
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb wait_for_predecessor-974059a8
//> launch_dependents-1d1a91c5 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a
//> copy_async-df0420c2 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-f0d8a242
//> mma-d39a4fa1 mainloop-c1d8e32a wrapping_add-ed71f3a8
__device__ __forceinline__ int body(const int acc, const int residual) {
    return wrapping_add(acc, residual);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const i32* residual;
    long long ld_residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) i32 residual[COUNT];
    };
//| read-9b0515b2 apply-214b02c9
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) pdl_both_902a6e2ac272380a(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const i8* b, long long ld_b,
    const i32* residual, long long ld_residual,
    i32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    wait_for_predecessor();
    launch_dependents();
    const Values values = {residual, ld_residual};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
