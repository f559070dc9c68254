// swiglu_scaled, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [16, 64, 128],
//         warps   = [1, 2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 4, 2], b = [2, 4, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn swiglu_scaled(
//         x: Mat<bf16, M, K>,
//         wg: Mat<i4x2, N, K>,
//         sg: Tiled<bf16, N, K, 1, 128>,
//         wu: Mat<i4x2, N, K>,
//         su: Tiled<bf16, N, K, 1, 128>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sums over K of x * (wg * sg) and x * (wu * su)), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_wg = 16;
constexpr int ALIGN_wu = 16;
constexpr int ALIGN_out = 16;
//> bf16-3500fa9b f32-4eeb73e9 i4x2-481bf8d6
// The tiling: block > warp > mma.
constexpr int BLK_M = 16, BLK_N = 64, BLK_K = 128;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 8, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
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
//> TileA-51e0c222
// B, the operands `wg`, `wu`, in shared memory.
struct TileB : RowTile<i4x2, BLK_N, BLK_K / 2, Swizzle<2, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = (ALIGN_wu < ALIGN_wg ? ALIGN_wu : ALIGN_wg) < 4 ? 1
        : (ALIGN_wu < ALIGN_wg ? ALIGN_wu : ALIGN_wg) < 16
        ? (ALIGN_wu < ALIGN_wg ? ALIGN_wu : ALIGN_wg) : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 2;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 4;  // neighbours along k of a lane
};

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

//| Out-83338a24
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-132a51e5
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a
//> global_to_shared-bd6c12d3 load_shared-4f0c7563 shared_to_register-9e027d45 mma_atom-23e84999
//> fma_bf16x2-64d01993 to_factor-d4ecbe79 to_factor-1b57c4da
constexpr int INSTRUCTIONS = 2;  // of an atom for a k-step
//> mma-429df240 Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 Unscaled-aa196f62
//| Scales-51be87c8 Scales-20044989 load-7477724c advance-61f6dff8 value-a03a667e

typedef Unscaled ScalesA;

//| ScalesOfProducts-d108df6c advance-2a7be6c8 value-9ffcf69d

//| ScaledLinesB-8d024b11 line-c239e912

constexpr int SCALED_STEPS = 2;  // k-steps whose products are summed before they are scaled
//> SumsOfTile-6a81a050 scale-248f1a86 next_scales-65781018 mainloop-2d43e0db times_sigmoid-4976448b
//> silu-fc8bbe93 body-465bc590 Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-da750002

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
//> epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) swiglu_scaled_5a02814bf5cfcd2a(
    int m, int n, int k,
    const bf16* x, long long ld_x,
    const i4x2* wg, long long ld_wg,
    const bf16* sg, long long ld_sg,
    const i4x2* wu, long long ld_wu,
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
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, (k + 1) / 2);
    ScalesA scales_a;
    ScalesB scales_b = {{
        {sg, ld_sg, (block.n + warp.n) / PRODUCTS, n, 0 + warp.k, k},
        {su, ld_su, (block.n + warp.n) / PRODUCTS, n, 0 + warp.k, k}}};
    mainloop(acc, shared, warp, {source_a, source_b}, scales_a, scales_b, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
