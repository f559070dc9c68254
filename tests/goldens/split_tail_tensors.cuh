// split_tail_tensors, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_n(3),
//         split_k = tail(3),
//         targets = [sm_90],
//     )]
//     fn split_tail_tensors(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// The first `whole` tiles have a block each; K of the others is split among `splits` blocks, up to
//     3 and to its tiles of BLK_K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 3;
constexpr int SHARED_BYTES = 73776;
//| assertions-9dba4853
//> Sum-94c25c4c TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-8dd7e30e box-016ed81f TRANSPOSED-e928c892

//| TileB-99e585cd box-7bdd4d5e TRANSPOSED-6ef2373a

//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-ca559c7f

static_assert(sizeof(Accumulators) * THREADS == 32768, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent
//> share_of_block-ed8b7249 part_of-4dbf894b skip-2826cd4d TileIndex-ecceebd9 raster-2aaf554e
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-db44ef5c
//> shared_to_register-33844035 mma_atom-23e84999 mainloop-5e9707cf body-de9848cb Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-28e1e99f
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_tail_tensors_894d2a7b96a2328a(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out,
    void* partials, unsigned* arrivals, int whole, int splits) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block(whole, splits);
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, part.from, part.k);
    if (share.splits > 1 && !split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
