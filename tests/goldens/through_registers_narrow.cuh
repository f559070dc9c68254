// through_registers_narrow, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [80, 96, 32],
//         warps   = [1, 3],
//         mma     = m16n8k32,
//         copy(a = ld_global(8), b = ld_global(4)),
//         swizzle(a = [1, 4, 3], b = [2, 4, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn through_registers_narrow(a: Mat<u8, M, K>, b: Mat<i8, K, N>) -> Mat<i32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-93bee1d5 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 80, BLK_N = 96, BLK_K = 32;
constexpr int WARPS_M = 1, WARPS_N = 3, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 16128;
//| assertions-9dba4853
//> Sum-6714319e
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<1, 4, 3>.
struct TileA {
    typedef u8 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-6fcde67c below-35f28bc5 TRANSPOSED-22e09e97 TURNS-1034b3f9 assertions-9ddd271d

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<2, 4, 3>.
struct TileB {
    typedef i8 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 4;
    static constexpr int LOAD_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-9d01608a below-d35c08dd X4_BYTES_MN-b9c39c4d place-d0a12da5 assertions-42da6015

//| Out-dffe5505
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 ldmatrix_x4-d405aef7
//> shared_to_register-6bd16334 ldmatrix_x4_trans-e73c3889 shared_to_register-37d37121
//> mma_atom-a6fbd9b4 mma-d39a4fa1 mainloop-560a2e60 body-09afdba5 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> line-dd6c73d5 RUN-24e61109 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) through_registers_narrow_a2d07e4388df3d25(
    int m, int n, int k,
    const u8* a, long long ld_a,
    const i8* b, long long ld_b,
    i32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
