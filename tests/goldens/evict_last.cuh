// evict_last, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [48, 80, 32],
//         warps   = [3, 1],
//         mma     = m16n8k16,
//         copy(a = cp_async(8, ca, evict_last), b = cp_async(16, ca, evict_normal)),
//         swizzle(a = [1, 3, 3], b = [2, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn evict_last(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 48, BLK_N = 80, BLK_K = 32;
constexpr int WARPS_M = 3, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853
//> Sum-94c25c4c evict_last-e089d0fd evict_normal-be44543b
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<1, 3, 3>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_last(); }
//| offset-c9d5b044 below-35f28bc5 TRANSPOSED-a5c04326 assertions-8316efe7

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool HAS_POLICY = true;  // of L2
    static __device__ __forceinline__ unsigned long long policy() { return evict_normal(); }
//| offset-d8442927 below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| Out-43e19990
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-e4dcc6c2
//> store_shared-5a3e414c copy_async-ebc4825d cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-bcc6814a Source-79f2145a row-66dd1e83
//> global_to_shared-d1845159 ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-c1d8e32a body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) evict_last_5625af78281323fe(
    int m, int n, int k,
    const f16* a, long long ld_a,
    const f16* b, long long ld_b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
