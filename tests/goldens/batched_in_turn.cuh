// batched_in_turn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn batched_in_turn(
//         x: Batched<f16, B, M, K>,
//         q: Batched<f16, B, N, K>,
//         k: Batched<f16, B, N1, K>,
//         bias_q: Vector<f32, N>,
//         bias_k: Vector<f32, N1>,
//     ) -> (Batched<f16, B, M, N>, Batched<f16, B, M, N1>)
//
// out0(B, M, N), out1(B, M, N1) = body(sums over K of x * q and x * k), for any B, M, N, N1 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_q = 16;
constexpr int ALIGN_bias_q = 16;
constexpr int ALIGN_out0 = 16;
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853

constexpr int SEGMENTS = 2;  // products with columns of their own

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
// The matrix of a block tile, its first row and column in the output of its product.
struct Block { int batch, m, n, segment; };
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-fad71899
// B, one of `q`, `k`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<2, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_q < 16 ? ALIGN_q : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

//| Out-c851dbfc
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-d5c0e186
//| Segments-c73a4cea columns-e8c09564 place-f1922171
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-cc226ba7 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-0d6b3014 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-1e0707d9 read-9e33f8b1

//| Values-1c7a9e8e apply-761e8f76

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) batched_in_turn_b971ef07f7d2c0f8(
    int m, int n, int k, int n1,
    const f16* x, long long ld_x, long long stride_x,
    const f16* q, long long ld_q, long long stride_q,
    const f16* k_, long long ld_k_, long long stride_k_,
    const f32* bias_q,
    const f32* bias_k,
    f16* out0, long long ld_out0, long long stride_out0,
    f16* out1, long long ld_out1, long long stride_out1) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Segments segments = {{n, n1}};
    const Block block = segments.place(raster(m, segments.columns(), int(blockIdx.x)));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    x += block.batch * stride_x;
    q += block.batch * stride_q;
    out0 += block.batch * stride_out0;
    k_ += block.batch * stride_k_;
    out1 += block.batch * stride_out1;
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB
        source_b(of_segment(block.segment, q, k_), of_segment(block.segment, ld_q, ld_k_), block.n,
        of_segment(block.segment, n, n1), k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {of_segment(block.segment, bias_q, bias_k)};
    const Outputs outputs = {of_segment(block.segment, out0, out1),
        of_segment(block.segment, ld_out0, ld_out1)};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m,
        of_segment(block.segment, n, n1));
}
