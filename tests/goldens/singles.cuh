// singles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 16],
//         warps   = [2, 2],
//         mma     = m16n8k8,
//         precision = tf32,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 2, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn singles(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65536;
//| assertions-9dba4853
//> Sum-94c25c4c
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<2, 2, 3>.
struct TileA {
    typedef f32 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0x60) >> 3)));
    }
//| below-35f28bc5 TRANSPOSED-c6ff4ae4 assertions-20d7bbe1

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 2, 3>.
struct TileB {
    typedef f32 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0x60) >> 3)));
    }
//| below-35f28bc5 TRANSPOSED-f75c293a assertions-12af5741

//| Out-b33d435c
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-80b527da
//> round_tf32-b524d82c mma-ad301857 mainloop-c1d8e32a body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) singles_f3a2453fe4fd1b55(
    int m, int n, int k,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
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
