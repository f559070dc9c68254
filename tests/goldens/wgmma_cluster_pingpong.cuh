// wgmma_cluster_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         cluster = [1, 2],
//         mma     = m64n96k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_cluster_pingpong(
//         a: Mat<f16, M, K>,
//         b: Mat<f16, N, K>,
//         bias: Vector<f16, N>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 2, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 96, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 48;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 94256;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-51acaee2 box-016ed81f SHARERS-59bc54a5

//| TileB-7ad32845 box-7bdd4d5e SHARERS-5b96fec6
//> Out-181dd80e Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb
static_assert(BOXES_BYTES == 20480, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-3f3c0c23
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-a6b15983
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 skip-95064da4 mainloop-82db7f9f relu-5d722858
//> body-44d0bef3 Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

//| Values-e42be8c9 apply-e1fc4b10

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_cluster_pingpong_14858efcb0ff29e9(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f16* bias,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, a, b, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        ordered_barrier_arrive(0);
        tiles.advance(), skip(state, k_tiles(k));
    }
    while (tiles.next(block)) {
        ordered_barrier_wait(group);
        mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);
        epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
            warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
