// quotients, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [80, 96, 48],
//         warps   = [1, 3],
//         mma     = m16n8k16,
//         copy(a = cp_async(8, ca), b = cp_async(16, cg)),
//         swizzle = [0, 4, 4],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn quotients(
//         a: Mat<u8, M, K>,
//         b: Mat<u8, N, K>,
//         offset: Mat<i8, N, M>,
//         divisor: i32,
//     ) -> Mat<u8, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_offset = 16;
constexpr int ALIGN_out = 16;
//> i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 80, BLK_N = 96, BLK_K = 48;
constexpr int WARPS_M = 1, WARPS_N = 3, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 25344;
//| assertions-9dba4853
//> Sum-6714319e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<u8, BLK_M, BLK_K, Swizzle<0, 4, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 32;  // extent of four matrices
    static constexpr int MATRICES_K = 1, MATRIX_K = 16;  // matrices along k, extent of one
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<u8, BLK_N, BLK_K, Swizzle<0, 4, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 32;  // extent of four matrices
    static constexpr int MATRICES_K = 1, MATRIX_K = 16;  // matrices along k, extent of one
};

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef u8 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> ldmatrix_x2-03842c1a ldmatrix_x1-b65ebe08 matrix_row-ea215ecd shared_to_register-84ff2793
// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(int (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 wrapping_sub-ca80cef6
//> wrapping_mul-e2746e50 wrapping_neg-feb62117 wrapping_div-7dc2269b
__device__ __forceinline__ int body(const int acc, const int offset, const int divisor) {
    return wrapping_sub(wrapping_div(acc, wrapping_mul(1024, divisor)), max(offset, -5));
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<i8, ALIGN_offset> offset;
    int divisor;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<i8, COUNT> offset;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        offset.read(read.offset, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.offset[i]), divisor);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) quotients_910a46ebfa9e0e35(
    int m, int n, int k,
    const u8* a, long long ld_a,
    const u8* b, long long ld_b,
    const i8* offset, long long ld_offset,
    int divisor,
    u8* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {offset, ld_offset, divisor};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
