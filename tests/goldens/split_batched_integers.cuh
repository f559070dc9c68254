// split_batched_integers, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 32, 32],
//         warps   = [1, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [1, 4, 3],
//         stages  = 2,
//         raster  = along_n(2),
//         split_k = 2,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn split_batched_integers(
//         a: Batched<i8, B, M, K>,
//         b: Mat<i8, N, K>,
//         bias: Batched<i32, B, N>,
//     ) -> Batched<i32, B, N, M>
//
// out(B, N, M) = body(sum over K of a * b), for any B, M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distances of its rows and matrices and, of
// A and B, the length of a row: 16, 8, 4, 2 or 1. A launch that can promise less defines
// less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
//> i8-b75b6f90 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 32, BLK_K = 32;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 2;
constexpr int SHARED_BYTES = 4096;
//| assertions-9dba4853

typedef int Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int batch, m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<1, 4, 3>.
struct TileA {
    typedef i8 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-6fcde67c below-35f28bc5 TRANSPOSED-8ac1a122 assertions-875c98b9

//| TileB-630cbb1d offset-6fcde67c below-35f28bc5 TRANSPOSED-a37afb80 assertions-42da6015

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef i32 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5
constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 4096, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d raster-66a33285 warps-6ba616d0
//> CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a
//> copy_async-df0420c2 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-f0d8a242
//> mma-d39a4fa1 mainloop-c1d8e32a wrapping_add-ed71f3a8
__device__ __forceinline__ int body(const int acc, const int bias) {
    return wrapping_add(acc, bias);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
// What the body reads beside the accumulator.
struct Values {
    const i32* bias;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        const int at_bias = to_value(bias[row]);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias);
        }
    }
};
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-e20323ac epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_batched_integers_8517104ec290ab69(
    int m, int n, int k,
    const i8* a, long long ld_a, long long stride_a,
    const i8* b, long long ld_b,
    const i32* bias, long long stride_bias,
    i32* out, long long ld_out, long long stride_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    // The block's matrix of each batch; what is none is the same for all.
    a += block.batch * stride_a;
    bias += block.batch * stride_bias;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {bias};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
