// integers_km_kn_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [3, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn integers_km_kn_nm(a: Mat<u8, K, M>, b: Mat<i8, K, N>) -> Mat<i32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-93bee1d5 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-6714319e
//| TileA-ac8b300d offset-c8b05768 below-d35c08dd X4_BYTES_MN-b9c39c4d place-c0dfe236
//| assertions-9ddd271d

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<3, 4, 3>.
struct TileB {
    typedef i8 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-c8b05768 below-d35c08dd X4_BYTES_MN-b9c39c4d place-d0a12da5 assertions-42da6015

//| Out-2b6a4bce
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4_trans-e73c3889 shared_to_register-37d37121
//> mma_atom-a6fbd9b4 mma-d39a4fa1 mainloop-c1d8e32a body-09afdba5 Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-68974764
//> line-dd6c73d5 RUN-24e61109 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) integers_km_kn_nm_4c597f82780c8e53(
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
