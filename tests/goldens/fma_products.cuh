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
// out(M, N) = body(sum over K of x * p), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_p
#define ALIGN_p 16
#endif
#ifndef ALIGN_q
#define ALIGN_q 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
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
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<2, 2, 4>.
struct TileA {
    typedef f32 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-9e16678a below-d35c08dd LANES-6fd6d8f4 held-d4baa71f assertions-20d7bbe1

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 2, 4>.
struct TileB {
    typedef f32 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) < 16
        ? (ALIGN_q < ALIGN_p ? ALIGN_q : ALIGN_p) : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-1729ede9 below-38427b69 LANES-88a95072 held-d4baa71f assertions-12af5741

//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

//| Out-3da43d21
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-2f0970d5 SPLITS-790bd96f share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d
//> raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb Word-b35982a9 store_shared-96ebfacf
//> threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-09941c2f

// A thread's copies of the next k-tile of the factors of B from number FACTOR on.
template <int FACTOR>
struct HeldOfB {
    Held<PartOfB<FACTOR>> held;
    HeldOfB<FACTOR + 1> others;
};
template <> struct HeldOfB<PRODUCTS> {};

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
//> load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f mma_atom-62534571 mma-d39a4fa1
// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through two stages: while one is multiplied,
// the next k-tile is loaded to registers, and from there stored to the other.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
    const TileA::Element* a, long long ld_a, const FactorsOfB& b, int m, int n, int k) {
    const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    unsigned read = first, write = first + STAGE_BYTES;  // the two stages
    Source<TileA> source_a(a, ld_a, block.m, m, k);
    SourcesOfB<0> source_b(b, block.n / PRODUCTS, n, k);
    Held<TileA> held_a;
    HeldOfB<0> held_b;

    // Prologue: the first k-tile.
    global_to_register(held_a, source_a);
    global_to_register(held_b, source_b);
    register_to_shared(read, held_a);
    register_to_shared(read + TileA::BYTES, held_b);
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    shared_to_register<TileA>(fragments_a[0], read, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], read + TileA::BYTES, warp.n, warp.k);

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        // K-tiles past the end of k are zeros.
        global_to_register(held_a, source_a);
        global_to_register(held_b, source_b);
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next k-tile, which goes to the stage that
                // the previous one was read from; a barrier lies between.
                register_to_shared(write, held_a);
                register_to_shared(write + TileA::BYTES, held_b);
                __syncthreads();
                const unsigned filled = write;
                write = read;
                read = filled;
            }
            const int next = (step + 1) % 2, next_k = warp.k + (step + 1) % STEPS_K * MMA_K;
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    __syncthreads();
}

__device__ __forceinline__ float body(const float acc, const float acc1) {
    return fmaxf(acc, acc1) - acc;
}
//> load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-a04ac983
//> Register-2bcea346 split_k-5ff150ca Run-1a5ab7c1 stage-efdc17e8 load_sums-dcf9e1a0
//> load_sums-ffe01cb6 epilogue-57ef4358
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_products_985897b0aa65775c(
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
    const FactorsOfB factors_of_b = {{skip<TileB>(p, ld_p, part), skip<TileB>(q, ld_q, part)},
        {ld_p, ld_q}};
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(x, ld_x, part), ld_x,
        factors_of_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n / PRODUCTS, m, n);
}
