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
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4, 2 or 1. A launch that can promise less defines less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_offset
#define ALIGN_offset 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
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
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<0, 4, 4>.
struct TileA {
    typedef u8 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e TRANSPOSED-eb767a0b assertions-9ddd271d

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<0, 4, 4>.
struct TileB {
    typedef u8 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e TRANSPOSED-eb767a0b assertions-4e31eb03

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef u8 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 ldmatrix_x2-03842c1a ldmatrix_x1-b65ebe08
//> shared_to_register-e297e0fc
// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(int (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 mainloop-c1d8e32a
// Difference modulo 2^32.
__device__ __forceinline__ int wrapping_sub(const int x, const int y) {
    return static_cast<int>(static_cast<unsigned>(x) - static_cast<unsigned>(y));
}

// Product modulo 2^32.
__device__ __forceinline__ int wrapping_mul(const int x, const int y) {
    return static_cast<int>(static_cast<unsigned>(x) * static_cast<unsigned>(y));
}
//> wrapping_neg-feb62117 wrapping_div-7dc2269b
__device__ __forceinline__ int body(const int acc, const int offset, const int divisor) {
    return wrapping_sub(wrapping_div(acc, wrapping_mul(1024, divisor)), max(offset, -5));
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const i8* offset;
    long long ld_offset;
    int divisor;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) i8 offset[COUNT];
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        fetch<ALIGN_offset>(read.offset, offset + row * ld_offset + col, valid);
    }
    // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT],
        const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.offset[i]), divisor);
        }
    }
};
//> Pair-1190f24c stage-e20323ac Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) quotients_b7dd4b2b4922237f(
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
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {offset, ld_offset, divisor};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
