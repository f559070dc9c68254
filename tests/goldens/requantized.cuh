// requantized, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [3, 4, 3], b = [1, 4, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn requantized(
//         a: Mat<u8, K, M>,
//         b: Mat<i8, N, K>,
//         bias: Vector<i32, N>,
//         scale: Vector<f32, M>,
//     ) -> Mat<i8, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-e7686fe5 f32-4eeb73e9 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-6714319e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<u8, BLK_K, BLK_M, Swizzle<3, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int X4_BYTES_MN = 32;  // extent of four matrices
    static constexpr bool HALVES_OF_K = false, BANDS_FIRST = false;
    static constexpr int INTERLEAVED = 2;  // bands whose lines are interleaved
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<i8, BLK_N, BLK_K, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 32;  // extent of four matrices
    static constexpr int MATRICES_K = 1, MATRIX_K = 16;  // matrices along k, extent of one
    static constexpr int INTERLEAVED = 1;  // bands whose lines are interleaved
};

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef i8 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 1, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 ldmatrix_x4_trans-e73c3889 bytes_mn-cb61c647
//> place-4b16cf09 shared_to_register-09d09e70
// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(int (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 wrapping_add-ed71f3a8
__device__ __forceinline__ float body(const int acc, const int bias, const float scale) {
    return float(wrapping_add(acc, bias)) * scale * 0.002f;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1 Same-cb01456c
//| VectorRun-1e0707d9 read-9e33f8b1

//| VectorSame-060903a6 read-b7008785

// What the body reads beside the accumulator.
struct Values {
    VectorRun<i32, int, ALIGN_bias> bias;
    VectorSame<f32, float> scale;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_bias = bias.read<COUNT>(row, col, valid);
        const auto at_scale = scale.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], at_scale[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> line-84b69f4d RUN-e93e7c16 load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) requantized_9d099b24e9408910(
    int m, int n, int k,
    const u8* a, long long ld_a,
    const i8* b, long long ld_b,
    const i32* bias,
    const f32* scale,
    i8* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias, scale};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
