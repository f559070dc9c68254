// scaled_blocks, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 16, 128],
//         warps   = [2, 1, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 5, 2], b = [2, 4, 2]),
//         stages  = 4,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn scaled_blocks(
//         w: Mat<i8, M, K>,
//         s: Tiled<f32, M, K, 1, 64>,
//         x: Mat<f16, N, K>,
//     ) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of (w * s) * x), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A, B and scales,
// of their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_w = 16;
constexpr int ALIGN_s = 16;
constexpr int ALIGN_x = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9 i8-b75b6f90
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 16, BLK_K = 128;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 51200;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `w`, in shared memory.
struct TileA : RowTile<i8, BLK_M, BLK_K, Swizzle<2, 5, 2>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 4 ? 1 : ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 8;  // neighbours along k of a lane
};

// B, the operand `x`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<2, 4, 2>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 16;  // neighbours along k of a lane
};

// The scales of A in a stage, a row for each line.
struct TileScalesA : RowTile<f32, BLK_M, BLK_K / 64, Swizzle<0, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int COPY_BYTES = ALIGN_s < 8 ? ALIGN_s : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;
    static constexpr int STAGE_OFFSET = TileA::BYTES + TileB::BYTES;
};

constexpr int SCALES_END = TileScalesA::STAGE_OFFSET + TileScalesA::BYTES;  // of a stage's bytes

//| Out-f82c88f3
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-6d92967c
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-8de38f61 share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb wait_for_predecessor-370f9581
//> cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-132a51e5 copy_async-cc226ba7
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a
//> global_to_shared-3341ab9b SourceA-aac213fc
// Where the scales are copied from.
struct SourceScales {
    Source<TileScalesA> scales_a;
};

// Issues the copies of the next k-tile's scales to a stage.
__device__ __forceinline__ void global_to_shared(unsigned stage, SourceScales& from) {
    global_to_shared(stage + TileScalesA::STAGE_OFFSET, from.scales_a);
}
//> load_shared-4f0c7563 shared_to_register-9e027d45 mma_atom-a894416e sub_f16x2-af095d53
//> to_factor-0f41276f to_factor-94c6c7e1
constexpr int INSTRUCTIONS = 2;  // of an atom for a k-step
//> mma-429df240 Sources-ef636001 global_to_shared-9c6f938d prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 load_scale-a5bac9b9 Unscaled-198a9b26
//| Scales-4190014c load-3797edd6 value-a03a667e

// The scales of A: one for 1 x 64 of its lines and of k.
struct ScaledLinesA {
    typedef f32 Element;
    static constexpr int LINES = 1, K = 64, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
    // The line of a lane's scale i, from the first of the warp on.
    static __device__ __forceinline__ int line(int i) { return i * 8 + threadIdx.x % 32 / 4; }
};
typedef Scales<ScaledLinesA, TileScalesA> ScalesA;

typedef Unscaled ScalesB;

constexpr int SCALED_STEPS = 2;  // k-steps whose products are summed before they are scaled
//> SumsOfTile-6a81a050 scale-248f1a86 load_scales-09af2cff mainloop-65b39632 body-de9848cb
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-e20323ac
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) scaled_blocks_b1a21108b2e89a76(
    int m, int n, int k,
    const i8* w, long long ld_w,
    const f32* s, long long ld_s,
    const f16* x, long long ld_x,
    f32* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(w, ld_w, part), ld_w, block.m, m, part.k);
    SourceB source_b(skip<TileB>(x, ld_x, part), ld_x, block.n, n, part.k);
    SourceScales source_scales = {
        {s + part.from / 64, ld_s, block.m, m, (part.k + 63) / 64}};
    mainloop(acc, shared, warp, {source_a, source_b, source_scales}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
