// packed_first, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 8, 256],
//         warps   = [4, 1, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [0, 0, 0], b = [3, 3, 5]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn packed_first(w: Mat<i8x16, M, K>, x: Mat<bf16, N, K>) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of w * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_w-40f38287 bf16-3500fa9b f32-4eeb73e9
// 16 8-bit signed integers of 16 lines, as a lane multiplies them.
struct alignas(16) i8x16 { unsigned words[4]; };

// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 8, BLK_K = 256;
constexpr int WARPS_M = 4, WARPS_N = 1, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 40960;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `w`, in shared memory.
struct TileA : RowTile<i8x16, BLK_M / 16, BLK_K, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LINES = 16, NUMBERS = 1;  // of an element, along k in the mean
    static constexpr int PACKED_K = 32;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 32, VECTOR_BYTES = 16;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

// B, the operand `x`, in shared memory.
struct TileB : RowTile<bf16, BLK_N, BLK_K, Swizzle<3, 3, 5>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false;
    static constexpr int BANDS = 1;  // of eight lines of an atom
    static constexpr int MATRICES_K = 4, MATRIX_K = 8;  // matrices along k, extent of one
};

//| Out-b8c21857
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 shared_to_register-ae9c5728
//> load_shared-4f0c7563 shared_to_register-6510e63e mma_atom-23e84999 fma_bf16x2-64d01993
// The pairs of a k-step of packed numbers of 8 bits, in bits 0 and 16 on: two of a word.
__device__ __forceinline__ void take_pairs(unsigned (&pairs)[4], const unsigned* packed) {
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = packed[i / 2] >> i % 2 * 8 & 0x00ff00ff;
}
//> to_factor-3bd756d2
typedef TileA PackedTile;  // whose numbers are packed
//> to_factors-cddc9345
constexpr int INSTRUCTIONS = 2;  // of an atom for a k-step
//> mma-aae853de Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_first_13ac0e580dad9c4b(
    int m, int n, int k,
    const i8x16* w, long long ld_w,
    const bf16* x, long long ld_x,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(w, ld_w, block.m / 16, (m + 15) / 16, (k + 31) / 32 * 32);
    SourceB source_b(x, ld_x, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
