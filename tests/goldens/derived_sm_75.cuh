// derived_sm_75, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k8,
//         copy    = ld_global(16),
//         swizzle(a = [3, 3, 4], b = [2, 3, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_75],
//     )]
//     fn derived_sm_75(a: Mat<f16, K, M>, b: Mat<f16, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853
//> Sum-94c25c4c
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<3, 3, 4>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-7f87d10a below-35f28bc5 TRANSPOSED-aaf610bb assertions-8316efe7

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-d8442927 below-35f28bc5 TRANSPOSED-eb767a0b assertions-63892e04

//| Out-43e19990
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 ldmatrix_x4-d405aef7
//> shared_to_register-6bd16334
// c(16x8) += a(16x8) * b(8x8). (PTX ISA, mma.m16n8k8)
__device__ __forceinline__ void mma_atom(float (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 mainloop-560a2e60 body-de9848cb load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) derived_sm_75_394e7600878aaa5c(
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
