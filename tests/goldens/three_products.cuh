// three_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 32],
//         warps   = [2, 1, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn three_products(
//         x: Mat<f16, M, K>,
//         p: Mat<f16, K, N>,
//         q: Mat<f16, K, N>,
//         r: Mat<f16, K, N>,
//         bias: Vector<f32, N>,
//         residual: Mat<f16, M, N>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sums over K of x * p, x * q and x * r), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_p = 16;
constexpr int ALIGN_q = 16;
constexpr int ALIGN_r = 16;
constexpr int ALIGN_bias = 16;
constexpr int ALIGN_residual = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 40960;
//| assertions-9dba4853

// BLK_N has the columns of all products: PART_N of each in turn.
constexpr int PRODUCTS = 3, PART_N = WARP_N / PRODUCTS;
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-fad71899
// B, the operands `p`, `q`, `r`, in shared memory.
struct TileB : RowTile<f16, BLK_K, BLK_N, Swizzle<2, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES =
        (ALIGN_r < (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) ? ALIGN_r
        : (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p)) < 16
        ? (ALIGN_r < (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) ? ALIGN_r
        : (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p)) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = true, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// What TileB has of a factor: PART_N columns of the product for each warp.
template <int FACTOR>
struct PartOfB : TileB {
    static constexpr int COLS = BLK_N / PRODUCTS;
//| place-a9349be5
    static __device__ __forceinline__ int offset(int row, int col) {
        return TileB::offset(row, place(col));
    }
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return TileB::below(above, row, place(col), rows);
    }
};

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / PRODUCTS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb
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
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 sigmoid-1e110eb4
__device__ __forceinline__ float body(
        const float acc,
        const float acc1,
        const float acc2,
        const float bias,
        const float residual) {
    return acc * sigmoid(acc1) + acc2 + bias + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3 fetch-47ed8540 Elements-4e1a4dc1
//| VectorRun-356da992 read-43182112

//| MatrixRun-2918a2a6 read-78c20bf3

//| Values-20b0d0dc read-ef45fc9c
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(
                sums[0][i],
                sums[1][i],
                sums[2][i],
                to_value(read.bias[i]),
                to_value(read.residual[i]));
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
//> Chunk-997a6a28 epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) three_products_78b15796721d4e1e(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* p, long long ld_p,
    const f16* q, long long ld_q,
    const f16* r, long long ld_r,
    const f32* bias,
    const f16* residual, long long ld_residual,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    const FactorsOfB factors_of_b = {{p, q, r}, {ld_p, ld_q, ld_r}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias, residual, ld_residual};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
