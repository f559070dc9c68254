// packed_swiglu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [16, 64, 128],
//         warps   = [1, 2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [3, 3, 4], b = [0, 0, 0]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn packed_swiglu(
//         x: Mat<bf16, M, K>,
//         wg: Mat<i4x32, N, K>,
//         sg: Tiled<bf16, N, K, 1, 128>,
//         wu: Mat<i4x32, N, K>,
//         su: Tiled<bf16, N, K, 1, 128>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sums over K of x * (wg * sg) and x * (wu * su)), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_wg = 16;
constexpr int ALIGN_wu = 16;
constexpr int ALIGN_out = 16;
//> bf16-3500fa9b f32-4eeb73e9 i4x32-e4901dbb
// The tiling: block > warp > mma.
constexpr int BLK_M = 16, BLK_N = 64, BLK_K = 128;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 64;
constexpr int A_REGISTERS = 16, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 32768;
//| assertions-9dba4853

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-30990ac1
// B, the operands `wg`, `wu`, in shared memory.
struct TileB : RowTile<i4x32, BLK_N / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N / 2 * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = (ALIGN_wu < ALIGN_wg ? ALIGN_wu : ALIGN_wg) < 16
        ? (ALIGN_wu < ALIGN_wg ? ALIGN_wu : ALIGN_wg) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 64, VECTOR_BYTES = 16;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

// What TileB has of a factor: for each warp, rows of elements with PART_N columns of the product.
template <int FACTOR>
struct PartOfB : TileB {
    static constexpr int ROWS = BLK_N / LINES / PRODUCTS, PART = PART_N / LINES;

    // Where a row of the factor lies among those of all products.
    static __device__ __forceinline__ int place(int row) {
        return (row / PART * PRODUCTS + FACTOR) * PART + row % PART;
    }
//| offset-af59e5be
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return ROWS == PART ? TileB::below(above, place(row), col, rows) : offset(row + rows, col);
    }
};

//| Out-83338a24
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 shared_to_register-ae9c5728 load_shared-4f0c7563
//> shared_to_register-6510e63e mma_atom-23e84999 fma_bf16x2-64d01993 take_pairs-35c2c71f
//> to_factor-45bce962
typedef TileB PackedTile;  // whose numbers are packed
//> to_factors-cddc9345
constexpr int INSTRUCTIONS = 4;  // of an atom for a k-step
//> mma-d9d9240e Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 Unscaled-aa196f62
//| Scales-51be87c8 Scales-20044989 load-7477724c advance-61f6dff8 value-a03a667e

typedef Unscaled ScalesA;

//| ScalesOfProducts-d108df6c advance-2a7be6c8 value-9ffcf69d

//| ScaledLinesB-8d024b11 line-c239e912

constexpr int SCALED_STEPS = 1;  // k-steps whose products are summed before they are scaled
//> SumsOfTile-6a81a050 scale-248f1a86 next_scales-65781018 mainloop-bd6e59c9 times_sigmoid-4976448b
//> silu-fc8bbe93 body-465bc590 Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-da750002

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
//> epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_swiglu_c37870b8d21565f1(
    int m, int n, int k,
    const bf16* x, long long ld_x,
    const i4x32* wg, long long ld_wg,
    const bf16* sg, long long ld_sg,
    const i4x32* wu, long long ld_wu,
    const bf16* su, long long ld_su,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    const FactorsOfB factors_of_b = {{wg, wu}, {ld_wg, ld_wu}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS / 16, (n + 15) / 16, (k + 63) / 64 * 32);
    ScalesA scales_a;
    ScalesB scales_b = {{
        {sg, ld_sg, (block.n + warp.n) / PRODUCTS, n, 0 + warp.k, k},
        {su, ld_su, (block.n + warp.n) / PRODUCTS, n, 0 + warp.k, k}}};
    mainloop(acc, shared, warp, {source_a, source_b}, scales_a, scales_b, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
