// fma_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 16],
//         warps   = [2, 2],
//         mma     = fma(4, 4),
//         copy    = ld_global(16),
//         swizzle(a = [2, 2, 4], b = [3, 2, 4]),
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_products(x: Mat<f32, M, K>, p: Mat<f32, N, K>, q: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sums over K of x * p and x * q), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_p = 16;
constexpr int ALIGN_q = 16;
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

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f32, BLK_M, BLK_K, Swizzle<2, 2, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-cf0d52fa held-d4baa71f

// B, the operands `p`, `q`, in shared memory.
struct TileB : RowTile<f32, BLK_N, BLK_K, Swizzle<3, 2, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) < 16
        ? (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-cf0d52fa held-d4baa71f

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 1, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / PRODUCTS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-790bd96f share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a

// A thread's copies of the next k-tile of the factors of B from number FACTOR on.
template <int FACTOR>
struct HeldOfB {
    Held<PartOfB<FACTOR>> held;
    HeldOfB<FACTOR + 1> others;
};
template <> struct HeldOfB<PRODUCTS> {};
typedef Held<TileA> HeldA;
typedef HeldOfB<0> HeldB;

// Issues the loads of the next k-tile of each factor.
template <int FACTOR>
__device__ __forceinline__ void global_to_register(
    HeldOfB<FACTOR>& held, SourcesOfB<FACTOR>& sources) {
    if constexpr (FACTOR < PRODUCTS) {
        global_to_register(held.held, sources.source);
        global_to_register(held.others, sources.others);
    }
}

// Stores the loaded copies of each factor to its part of TileB.
template <int FACTOR>
__device__ __forceinline__ void register_to_shared(
    unsigned stage, const HeldOfB<FACTOR>& held) {
    if constexpr (FACTOR < PRODUCTS) {
        register_to_shared(stage, held.held);
        register_to_shared(stage, held.others);
    }
}
//> load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f mma_atom-37b13ef8 mma-d39a4fa1
//> Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-4efc2cf5 mainloop-bfc518d1
__device__ __forceinline__ float body(const float acc, const float acc1) {
    return fmaxf(acc, acc1) - acc;
}
//> load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-da750002

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Run-1a5ab7c1 stage-efdc17e8
//> load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_products_103e1687f152c827(
    int m, int n, int k,
    const f32* x, long long ld_x,
    const f32* p, long long ld_p,
    const f32* q, long long ld_q,
    f32* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(256) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, PRODUCTS * n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(x, ld_x, part), ld_x, block.m, m, part.k);
    const FactorsOfB factors_of_b = {{skip<TileB>(p, ld_p, part), skip<TileB>(q, ld_q, part)},
        {ld_p, ld_q}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n / PRODUCTS, m, n);
}
