// wgmma_in_turn_cooperative, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         cluster = [2, 1],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_in_turn_cooperative(
//         x: Mat<bf16, M, K>,
//         q: Mat<bf16, N, K>,
//         k: Mat<bf16, N1, K>,
//         bias_q: Vector<f32, N>,
//         bias_k: Vector<f32, N1>,
//     ) -> (Mat<bf16, M, N>, Mat<bf16, M, N1>)
//
// out0(M, N), out1(M, N1) = body(sums over K of x * q and x * k), for any M, N, N1 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out0-cb23bdc6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 163904;
//| assertions-a4b11103

constexpr int SEGMENTS = 2;  // products with columns of their own
//> Sum-fbcb2599 TensorMap-4eb42d3a Box-9697fac4 MapsOfB-8b391299
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f SHARERS-59bc54a5

// B, one of `q`, `k`, in shared memory.
struct TileB : BoxTile<bf16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e SHARERS-5b96fec6
//> Out-f69403d2 Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb assertions-87e7a471
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-3f3c0c23
//| Tiles-0224ff69 Tiles-fe013337

//| Segments-c73a4cea columns-e8c09564 place-f1922171

//| TilesOfSegments-56ad1d1b TilesOfSegments-53714822
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-f233c4a7 global_to_shared-17d1b82d
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-c0f29c0b warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 mainloop-fe3ead94 body-0d6b3014 Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorRun<f32, float> bias_q;
//| apply-6c6f6573

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_in_turn_cooperative_9b1cf3faf577fd26(
    int m, int n, int k, int n1,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const f32* bias_q,
    const f32* bias_k,
    bf16* out0, long long ld_out0,
    const __grid_constant__ TensorMap map_out0,
    bf16* out1, long long ld_out1,
    const __grid_constant__ TensorMap map_out1) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(q);
        prefetch_map(k_);
        prefetch_map(map_out0);
        prefetch_map(map_out1);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&q, &k_}};
    const Segments segments = {{n, n1}};
    TilesOfSegments tiles(Tiles(m, segments.columns()), segments);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, factors_of_b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<40>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, factors_of_b, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    warpgroup_reg_alloc<232>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        const Values values = {of_segment(block.segment, bias_q, bias_k)};
        const Outputs outputs = {of_segment(block.segment, out0, out1),
            of_segment(block.segment, ld_out0, ld_out1)};
        if (threadIdx.x % 128 == 0) await_reads<0>();
        epilogue(acc, shared.staged, values, outputs,
            *of_segment(block.segment, &map_out0, &map_out1), block.m + warpgroup.m, block.n +
            warpgroup.n, m, of_segment(block.segment, n, n1));
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
