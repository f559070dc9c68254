// f16x3_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         precision = f16x3,
//         promote = never,
//         copy    = cp_async(16, cg),
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn f16x3_products(
//         x: Batched<f32, B, M, K>,
//         gate: Mat<f32, N, K>,
//         up: Mat<f32, N, K>,
//     ) -> Batched<bf16, B, M, N>
//
// out(B, M, N) = body(sums over K of x * gate and x * up), for any B, M, N and K.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of x, which runs along K, is 2^exponents_x[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_exponents_gate = 16;
constexpr int ALIGN_exponents_up = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 bf16-3500fa9b f32-4eeb73e9 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = WARP_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 49152;
//| assertions-d31767f0

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-7221478b
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16 < 16 ? 16 : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operands `gate`, `up`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16 < 16 ? 16 : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
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
//> TileIndex-8baeca33 raster-d5c0e186 warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 matrix_mn-afef1e3e matrix_row-ea215ecd
//> shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> Steps-6253ec8b steps_of-428ba267 load_fragments-abee12e6 mainloop-bfc518d1 unscale-47781784
//> times_sigmoid-4976448b silu-fc8bbe93 body-57c24ece Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-c88af1a3 Elements-4e1a4dc1 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| VectorRun-1e0707d9 read-9e33f8b1

// What the body reads beside the accumulator.
struct Values {
    VectorSame<i32, int> exponents_x;
    VectorRun<i32, int, ALIGN_exponents_gate> exponents_gate;
    VectorRun<i32, int, ALIGN_exponents_up> exponents_up;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_exponents_x = exponents_x.read<COUNT>(row, col, valid);
        const auto at_exponents_gate = exponents_gate.read<COUNT>(row, col, valid);
        const auto at_exponents_up = exponents_up.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(
                sums[0][i],
                sums[1][i],
                at_exponents_x[i],
                at_exponents_gate[i],
                at_exponents_up[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
//> epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) f16x3_products_537ce66b65785633(
    int m, int n, int k,
    const f16* x, long long ld_x, long long stride_x,
    const int* exponents_x, long long stride_exponents_x,
    const f16* gate, long long ld_gate,
    const int* exponents_gate,
    const f16* up, long long ld_up,
    const int* exponents_up,
    bf16* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    x += block.batch * stride_x;
    exponents_x += block.batch * stride_exponents_x;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    const FactorsOfB factors_of_b = {{gate, up}, {ld_gate, ld_up}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {exponents_x, exponents_gate, exponents_up};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
