// deep_doubles_4, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [96, 40, 12],
//         warps   = [3, 1],
//         mma     = m16n8k4,
//         copy    = cp_async(16, ca),
//         swizzle(a = [0, 1, 1], b = [2, 1, 2]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn deep_doubles_4(
//         a: Mat<f64, M, K>,
//         b: Mat<f64, K, N>,
//         bias: Vector<f64, M>,
//         alpha: f64,
//     ) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 96, BLK_N = 40, BLK_K = 12;
constexpr int WARPS_M = 3, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 39168;
//| assertions-9dba4853
//> Sum-dc4a8a91
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<0, 1, 1>.
struct TileA {
    typedef f64 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e ATOM_REGISTERS-33e9b1dd assertions-6d04f4f2

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<2, 1, 2>.
struct TileB {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-d79f3445 assertions-7562ab89

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 0;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> store_shared-5a3e414c copy_async-c71734b7 cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-96ac783b
//> mma-d39a4fa1 mainloop-c1d8e32a gelu_f64-caf19e77
__device__ __forceinline__ double body(const double acc, const double bias, const double alpha) {
    return alpha * gelu_f64(acc + bias);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-276e3a34 apply-7c4300e5
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) deep_doubles_4_0bf7b88bc7399b1e(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f64* bias,
    double alpha,
    f64* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {bias, alpha};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
