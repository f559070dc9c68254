// pdl_axpby, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [48, 80, 32],
//         warps   = [3, 1],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [1, 3, 3], b = [2, 3, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 3,
//         pdl     = [a],
//         targets = [sm_90],
//     )]
//     fn pdl_axpby(
//         a: Mat<f16, K, M>,
//         b: Mat<f16, N, K>,
//         alpha: f32,
//         beta: f32,
//         c: &mut Mat<f16, M, N>,
//     )
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// out is c; the thread that writes an element is the only one to read it,
// and reads it before.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 48, BLK_N = 80, BLK_K = 32;
constexpr int WARPS_M = 3, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-94c25c4c
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<1, 3, 3>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-c9d5b044 below-35f28bc5 TRANSPOSED-a5c04326 assertions-8316efe7

//| TileB-0180116f offset-d8442927 below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| Out-d6f93a6f
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5
constexpr int SPLITS = 3;
static_assert(sizeof(Accumulators) * THREADS == 15360, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d raster-774b3866 warps-6ba616d0
//> CONSUMERS-b87c24fb wait_for_predecessor-974059a8 launch_dependents-1d1a91c5 cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1
// Starts the copies of all stages but the last.
// The predecessor kernel does not write A, whose copies are issued before the wait.
// The first group of copies has all of them.
__device__ __forceinline__ void prologue(
    unsigned ring, Source<TileA>& source_a, Source<TileB>& source_b) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, source_a);
    }
    wait_for_predecessor();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, source_b);
        cp_async_commit();
    }
    launch_dependents();
}
//> mainloop-69177c79 body-77ab4518 Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    float alpha;
    float beta;
    const f16* out;
    long long ld_out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f16 out[COUNT];
    };
//| read-2fd8678f apply-434f88df
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) pdl_axpby_184bd706e8e9533e(
    int m, int n, int k,
    const f16* a, long long ld_a,
    const f16* b, long long ld_b,
    float alpha,
    float beta,
    f16* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {alpha, beta, out, ld_out};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
