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
// out(M, N) = body(sum over K of x * p), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_p
#define ALIGN_p 16
#endif
#ifndef ALIGN_q
#define ALIGN_q 16
#endif
#ifndef ALIGN_r
#define ALIGN_r 16
#endif
#ifndef ALIGN_bias
#define ALIGN_bias 16
#endif
#ifndef ALIGN_residual
#define ALIGN_residual 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
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

//| PRODUCTS-1edb2a12
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| TileA-c7db66da offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<2, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES =
        (ALIGN_r < (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) ? ALIGN_r
        : (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p)) < 16
        ? (ALIGN_r < (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) ? ALIGN_r
        : (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p)) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-d8442927 below-35f28bc5 TRANSPOSED-1bc3abc4 assertions-63892e04

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

//| Out-d6f93a6f
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-b18ece6c CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-09941c2f
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-078fb77d sigmoid-1e110eb4
__device__ __forceinline__ float body(
        const float acc,
        const float acc1,
        const float acc2,
        const float bias,
        const float residual) {
    return acc * sigmoid(acc1) + acc2 + bias + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
//| Values-f13ba920 read-09ebeda6
    // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[PRODUCTS][COUNT],
        const Read<COUNT>& read) const {
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
//> Pair-1190f24c stage-28e1e99f load_sums-dcf9e1a0 load_sums-ffe01cb6
// OUT_VECTOR elements of a row that a thread stores: their position in the staging and in the
// output, and how many of them lie inside it.
struct Chunk { int staged_row, staged_col, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(
    int number, int pass, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / PRODUCTS / OUT_VECTOR;
    const int staged_row = number / CHUNKS_PER_ROW;
    const int of_part = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int staged_col = of_part / PART_N * WARP_N + of_part % PART_N;
    const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                  + pass * PASS_ROWS + staged_row % PASS_ROWS;
    const int col = col0 + of_part;
    const bool inside = staged_row < STAGED_ROWS && row < rows && col < cols;
    return Chunk{staged_row, staged_col, row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}

// Stores body(acc) to the block's part of the output, in PASSES passes.
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. What the
// body reads for TOGETHER chunks is in flight at a time, since each load has the latency of global
// memory. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS = STAGED_ROWS * (STAGED_COLS / PRODUCTS / OUT_VECTOR);
    constexpr int EACH = (CHUNKS - 1) / CONSUMERS + 1, TOGETHER = EACH < 4 ? EACH : 4;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int first = threadIdx.x; first < CHUNKS; first += TOGETHER * CONSUMERS) {
            Values::Read<OUT_VECTOR> read[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const Chunk chunk =
                    chunk_of(first + i * CONSUMERS, pass, row0, col0, rows, cols);
                if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const auto [staged_row, staged_col, row, col, valid] =
                    chunk_of(first + i * CONSUMERS, pass, row0, col0, rows, cols);
                if (valid == 0) continue;
                Sum sums[PRODUCTS][OUT_VECTOR];
                load_sums(sums, staged + staged_row * STAGED_PITCH, staged_col);
                Result results[OUT_VECTOR];
                values.apply(results, sums, read[i]);
                store<ALIGN_out>(out + row * ld + col, results, valid);
            }
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) three_products_33241b96be7158ef(
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
    const FactorsOfB factors_of_b = {{p, q, r}, {ld_p, ld_q, ld_r}};
    mainloop(acc, shared, block, warp, x, ld_x, factors_of_b, m, n, k);
    const Values values = {bias, residual, ld_residual};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n / PRODUCTS, m, n);
}
