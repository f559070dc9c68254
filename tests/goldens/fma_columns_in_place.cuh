// fma_columns_in_place, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 4],
//         warps   = [2, 2],
//         mma     = fma(4, 4),
//         copy    = cp_async(4, ca),
//         swizzle = [0, 2, 2],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_columns_in_place(a: Mat<f32, M, K>, b: Mat<f32, N, K>, c: &mut Mat<f32, M, N>)
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// out is c; the thread that writes an element is the only one to read it,
// and reads it before.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 4;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 1;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 8704;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
// A in shared memory: BLK_K columns of BLK_M elements, transposed by the copies.
struct TileA {
    typedef f32 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 8) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
//| offset-59772856 below-82a75a17 LANES-ab9f1219 held-0112468d assertions-20d7bbe1

// B in shared memory: BLK_K columns of BLK_N elements, transposed by the copies.
struct TileB {
    typedef f32 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = (ROWS + 8) * int(sizeof(Element)), BYTES = COLS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
//| offset-59772856 below-82a75a17 LANES-4742133e held-4030c483 assertions-12af5741

//| Out-3da43d21
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> store_shared-5a3e414c copy_async-c71734b7 cp_async_commit-1f928025 cp_async_wait-b9f72531
//> threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f
//> mma_atom-62534571 mma-d39a4fa1 mainloop-8f2248b5
__device__ __forceinline__ float body(const float acc, const float c) {
    return c + acc;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const f32* out;
    long long ld_out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f32 out[COUNT];
    };
//| read-2fd8678f apply-0394b3b2
//> Run-1a5ab7c1 stage-8e9c8b68 load_staged-4f70a126 Chunk-be6e8dbc
// Stores body(acc) to the block's part of the output, in PASSES passes.
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. What the
// body reads for TOGETHER chunks is in flight at a time, since each load has the latency of global
// memory. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS = STAGED_ROWS * (STAGED_COLS / OUT_VECTOR);
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
                Sum sums[OUT_VECTOR];
                const Sum* const from = staged + staged_row * STAGED_PITCH;
                load_staged(sums, from, staged_col);
#pragma unroll
                for (int other = 1; other < WARPS_K; ++other) {
                    Sum more[OUT_VECTOR];
                    load_staged(more, from + other * STAGED_SUMS, staged_col);
#pragma unroll
                    for (int j = 0; j < OUT_VECTOR; ++j) sums[j] += more[j];
                }
                Result results[OUT_VECTOR];
                values.apply(results, sums, read[i]);
                store<ALIGN_out>(out + row * ld + col, results, valid);
            }
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_columns_in_place_819f0c9075dca038(
    int m, int n, int k,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
