// projections, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn projections(
//         x: Mat<f16, M, K>,
//         q: Mat<f16, N, K>,
//         k: Mat<f16, N, K>,
//         v: Mat<f16, N, K>,
//     ) -> (Mat<f16, M, N>, Mat<f16, M, N>, Mat<f16, M, N>)
//
// out0(M, N), out1(M, N), out2(M, N) = body(sums over K of x * q, x * k and x * v), for any M, N
//     and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Override when the launch guarantees less.
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_q
#define ALIGN_q 16
#endif
#ifndef ALIGN_k_
#define ALIGN_k_ 16
#endif
#ifndef ALIGN_v
#define ALIGN_v 16
#endif
#ifndef ALIGN_out0
#define ALIGN_out0 16
#endif
#ifndef ALIGN_out1
#define ALIGN_out1 16
#endif
#ifndef ALIGN_out2
#define ALIGN_out2 16
#endif
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 40960;
//| assertions-9dba4853

//| PRODUCTS-1edb2a12
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-fad71899
// B, the operands `q`, `k`, `v`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<2, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES =
        (ALIGN_v < (ALIGN_k_ < ALIGN_q ? ALIGN_k_ : ALIGN_q) ? ALIGN_v
        : (ALIGN_k_ < ALIGN_q ? ALIGN_k_ : ALIGN_q)) < 16
        ? (ALIGN_v < (ALIGN_k_ < ALIGN_q ? ALIGN_k_ : ALIGN_q) ? ALIGN_v
        : (ALIGN_k_ < ALIGN_q ? ALIGN_k_ : ALIGN_q)) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; float out2; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(f16));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));
constexpr int OUT2_VECTOR = ALIGN_out2 / int(sizeof(f16));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, fewer(OUT1_VECTOR, OUT2_VECTOR));
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / PRODUCTS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-cc226ba7 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 matrix_mn-afef1e3e matrix_row-ea215ecd
//> shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 prologue-15c170a1
//> load_fragments-fc4bf161 mainloop-73db30ed body-1d022efa Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-4768de2e

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f16, float, ALIGN_out0> out0;
    Output<f16, float, ALIGN_out1> out1;
    Output<f16, float, ALIGN_out2> out2;
//| store-07cb1c39
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
//> epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) projections_2cce0e41b9dcc138(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* q, long long ld_q,
    const f16* k_, long long ld_k_,
    const f16* v, long long ld_v,
    f16* out0, long long ld_out0,
    f16* out1, long long ld_out1,
    f16* out2, long long ld_out2) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    SourceA source_a(x, ld_x, block.m, m, k);
    const FactorsOfB factors_of_b = {{q, k_, v}, {ld_q, ld_k_, ld_v}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, k);
    mainloop(acc, shared, warp, source_a, source_b, k);
    const Values values = {};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
