// fma_doubles_nt, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 8],
//         warps   = [4, 2],
//         mma     = fma(8, 8),
//         copy    = cp_async(16, cg),
//         swizzle(a = [1, 1, 3], b = [3, 1, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_doubles_nt(a: Mat<f64, M, K>, b: Mat<f64, N, K>) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 8;
constexpr int WARPS_M = 4, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 32, MMA_N = 64, MMA_K = 2;
constexpr int A_REGISTERS = 32, B_REGISTERS = 32, C_REGISTERS = 64;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65536;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| LANES_M-b8bdfb93 assertions-7b9f2fdb
//> Lane-9fa24dec
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<1, 1, 3>.
struct TileA {
    typedef f64 Element;
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
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0x10) >> 3)));
    }
//| below-f1df5c04 LANES-d1cd328c held-d4baa71f assertions-6d04f4f2

//| TileB-520ad8d0
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (linear ^ ((linear & 0x70) >> 3));
    }
//| below-d35c08dd LANES-287bfc01 held-d4baa71f assertions-7562ab89

//| Out-d85f6a23
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-4f0c7563 shared_to_register-f92d1137 factor-b4d685a9
//> mma_atom-d212b444 mma-d39a4fa1 mainloop-c1d8e32a body-aec37cfb Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-68974764
//> Run-1a5ab7c1 stage-efdc17e8 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_doubles_nt_760421724baebf24(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    f64* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
