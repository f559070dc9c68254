// pdl_nothing, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 3, 3], b = [3, 3, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         pdl     = [],
//         targets = [sm_90],
//     )]
//     fn pdl_nothing(a: Mat<bf16, M, K>, b: Mat<bf16, K, N>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 16384;
//| assertions-9dba4853
//> Sum-94c25c4c
//| TileA-fa527f49 offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-cb23c343

//| TileB-c0147f5d offset-91c9d6c0 below-35f28bc5 TRANSPOSED-1bc3abc4 assertions-2598f009

//| Out-f1b63299
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-2f0970d5
constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 16384, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d raster-774b3866 warps-6ba616d0
//> CONSUMERS-b87c24fb wait_for_predecessor-974059a8 launch_dependents-1d1a91c5 cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-23e84999
//> mma-d39a4fa1 mainloop-c1d8e32a body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-68974764
//> Register-2bcea346 split_k-5ff150ca Pair-1190f24c stage-e20323ac epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) pdl_nothing_8da968007039c2fb(
    int m, int n, int k,
    const bf16* a, long long ld_a,
    const bf16* b, long long ld_b,
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
    launch_dependents();
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.n, block.m, n, m);
}
