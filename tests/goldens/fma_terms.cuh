// fma_terms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 16],
//         warps   = [2, 2],
//         mma     = fma(4, 4),
//         copy    = ld_global(16),
//         swizzle(a = [2, 2, 4], b = [0, 2, 2]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_terms(
//         x: Mat<f32, M, K>,
//         w: Mat<f32, K, N>,
//         t: Mat<f32, M, K>,
//         b: Mat<f32, K, N>,
//     ) -> Mat<f32, M, N>
//
// out(M, N) = body(added_scale * sum over K of t * b + sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_w = 16;
constexpr int ALIGN_t = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_out = 16;
//> f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 2;
constexpr int A_REGISTERS = 8, B_REGISTERS = 8, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 16384;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, after `t`, in shared memory.
struct TileA : RowTile<f32, BLK_M, BLK_K, Swizzle<2, 2, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = (ALIGN_t < ALIGN_x ? ALIGN_t : ALIGN_x) < 16
        ? (ALIGN_t < ALIGN_x ? ALIGN_t : ALIGN_x) : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-cf0d52fa held-d4baa71f

// B, the operand `w`, after `b`, in shared memory.
struct TileB : RowTile<f32, BLK_K, BLK_N, Swizzle<0, 2, 2>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = (ALIGN_b < ALIGN_w ? ALIGN_b : ALIGN_w) < 16
        ? (ALIGN_b < ALIGN_w ? ALIGN_b : ALIGN_w) : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-96e64508 held-4030c483

//| Out-973f6fa4
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 Word-b35982a9 store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f
//> mma_atom-37b13ef8 mma-d39a4fa1 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-4efc2cf5 mainloop-bfc518d1 body-de9848cb times-4094cbe4 scale_sums-a291ba2c
// What the added term is multiplied by.
__device__ __forceinline__ float added_scale() {
    return -1.0f;
}
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Run-1a5ab7c1 stage-8e9c8b68 load_staged-4f70a126 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_terms_5d3683acbfd6d10c(
    int m, int n, int k,
    const f32* x, long long ld_x,
    const f32* w, long long ld_w,
    const f32* t, long long ld_t,
    const f32* b, long long ld_b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(256) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    {  // the added term
        SourceA source_a(t, ld_t, block.m, m, k);
        SourceB source_b(b, ld_b, block.n, n, k);
        mainloop(acc, shared, warp, {source_a, source_b}, k);
    }
    scale_sums(acc, added_scale());
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
