// packed_zeros_of_lanes, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [16, 32, 64],
//         warps   = [1, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [3, 3, 3], b = [0, 0, 0]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn packed_zeros_of_lanes(
//         x: Mat<f16, M, K>,
//         w: Mat<u4x32, N, K>,
//         s: Tiled<f16, N, K, 1, 64>,
//         z: Tiled<f16, N, K, 1, 64>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of x * ((w - z) * s)), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_x-d02ca8e2 f16-14d17a46 f32-4eeb73e9 u4x32-e8eddb30
// The tiling: block > warp > mma.
constexpr int BLK_M = 16, BLK_N = 32, BLK_K = 64;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 64;
constexpr int A_REGISTERS = 16, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false;
    static constexpr int BANDS = 2;  // of eight lines of an atom
    static constexpr int MATRICES_K = 8, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operand `w`, in shared memory.
struct TileB : RowTile<u4x32, BLK_N / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N / 2 * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 64, VECTOR_BYTES = 16;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

//| Out-dee7f015
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 shared_to_register-ae9c5728
//> load_shared-4f0c7563 shared_to_register-6510e63e mma_atom-a894416e sub_f16x2-af095d53
//> take_pairs-35c2c71f to_factor-3d5b64ef
typedef TileB PackedTile;  // whose numbers are packed
//> to_factors-cddc9345
constexpr int INSTRUCTIONS = 4;  // of an atom for a k-step
//> mma-d9d9240e Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 Unscaled-aa196f62
//| Scales-51be87c8 Scales-20044989 load-7477724c advance-61f6dff8 value-a03a667e

//| ScalesWithOffsets-4bd252dd
    __device__ __forceinline__ void advance(int by) {
        scales.advance(by);
        offsets.advance(by);
    }
//| value-644aec53

typedef Unscaled ScalesA;

// The scales of B: one for 1 x 64 of its lines and of k.
struct ScaledLinesB {
    typedef f16 Element;
    static constexpr int LINES = 1, K = 64, COUNT = 2 * ATOMS_N;
    static constexpr bool K_CONTIGUOUS = true;
//| line-c7517793

// The offsets of B, of the same tiles.
struct OffsetLinesB {
    typedef f16 Element;
    static constexpr int LINES = 1, K = 64, COUNT = 2 * ATOMS_N;
    static constexpr bool K_CONTIGUOUS = true;
    // The line of a lane's scale i, from the first of the warp on.
    static __device__ __forceinline__ int line(int i) { return i / 2 * 8 + threadIdx.x % 4 * 2 + i %
        2; }
};
typedef ScalesWithOffsets<Scales<ScaledLinesB>, Scales<OffsetLinesB>> ScalesB;

constexpr int SCALED_STEPS = 1;  // k-steps whose products are summed before they are scaled

constexpr unsigned ONES = 0x3c003c00;  // a register of 1

//| SummedLines-f6122f62 add-a8c80eda

typedef Sum LineSums[SummedLines::ATOMS][C_REGISTERS];  // as the sums of an atom lie in a lane
//> sum_lines-c29c8465 add_scaled-4c781e42 SumsOfTile-6f163622 mma-d532be9c scale-c0c30e64
//> next_scales-65781018 mainloop-bd6e59c9 body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_zeros_of_lanes_6eae27745da66d8c(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const u4x32* w, long long ld_w,
    const f16* s, long long ld_s,
    const f16* z, long long ld_z,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n / 16, (n + 15) / 16, (k + 63) / 64 * 32);
    ScalesA scales_a;
    ScalesB scales_b = {
        {s, ld_s, block.n + warp.n, n, 0 + warp.k, k},
        {z, ld_z, block.n + warp.n, n, 0 + warp.k, k}};
    mainloop(acc, shared, warp, {source_a, source_b}, scales_a, scales_b, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
