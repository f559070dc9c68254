// evict_unchanged, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg, evict_unchanged),
//         swizzle = [2, 4, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn evict_unchanged(a: Mat<i8, M, K>, b: Mat<i8, N, K>) -> Mat<i32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-93bee1d5 i8-b75b6f90 i32-10da165a
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
// The policy of lines that L2 goes on to treat as it did. (PTX ISA, createpolicy)
__device__ __forceinline__ unsigned long long evict_unchanged() {
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<2, 4, 3>.
struct TileA {
    typedef i8 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_unchanged(); }
//| offset-46c8dcf0 below-35f28bc5 TRANSPOSED-8ac1a122 assertions-875c98b9

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 4, 3>.
struct TileB {
    typedef i8 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_unchanged(); }
//| offset-46c8dcf0 below-35f28bc5 TRANSPOSED-a37afb80 assertions-42da6015

//| Out-e94d794f
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-e4dcc6c2
//> cp_async_cg-5d3b638c store_shared-10650f6a copy_async-88023fdc cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bcc6814a Source-79f2145a row-66dd1e83
//> global_to_shared-d1845159 ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-f0d8a242
//> mma-d39a4fa1 mainloop-c1d8e32a body-09afdba5 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) evict_unchanged_409b3c006a96545b(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const i8* b, long long ld_b,
    i32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
