// bytes_mk_kn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warps   = [4, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 4, 3], b = [3, 4, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_89, sm_90],
//     )]
//     fn bytes_mk_kn(a: Mat<e5m2, M, K>, b: Mat<e5m2, K, N>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-93bee1d5 f32-4eeb73e9 e5m2-14bbb1cc
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 4, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 49152;
//| assertions-9dba4853
//> Sum-94c25c4c
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<2, 4, 3>.
struct TileA {
    typedef e5m2 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-46c8dcf0 below-35f28bc5 TRANSPOSED-22e09e97 TURNS-1034b3f9 assertions-efa93d30

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<3, 4, 3>.
struct TileB {
    typedef e5m2 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-c8b05768 below-d35c08dd X4_BYTES_MN-b9c39c4d place-d0a12da5 assertions-09290131

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 16;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334
//> ldmatrix_x4_trans-e73c3889 shared_to_register-37d37121
// c(16x8) += a(16x32) * b(32x8). (PTX ISA, mma.m16n8k32)
__device__ __forceinline__ void mma_atom(float (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
//> mma-d39a4fa1 mainloop-c1d8e32a body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> line-dd6c73d5 RUN-b657c434 epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) bytes_mk_kn_45988f239cf5e8c6(
    int m, int n, int k,
    const e5m2* a, long long ld_a,
    const e5m2* b, long long ld_b,
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
