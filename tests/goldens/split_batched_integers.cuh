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
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_out = 16;
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

//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<i8, BLK_M, BLK_K, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 16;  // matrices along k, extent of one
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<i8, BLK_N, BLK_K, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 16;  // matrices along k, extent of one
};

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef i32 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 4096, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-ecceebd9 raster-d5c0e186
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-cc226ba7 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-f0d8a242 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 wrapping_add-ed71f3a8
__device__ __forceinline__ int body(const int acc, const int bias) {
    return wrapping_add(acc, bias);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

// What the body reads beside the accumulator.
struct Values {
    VectorSame<i32, int> bias;
//| apply-54b4d9ef

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-e20323ac
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_batched_integers_b32e7aed164c752b(
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
    // To the block's matrix of each batch; unbatched operands are broadcast.
    a += block.batch * stride_a;
    bias += block.batch * stride_bias;
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(a, ld_a, part), ld_a, block.m, m, part.k);
    SourceB source_b(skip<TileB>(b, ld_b, part), ld_b, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
