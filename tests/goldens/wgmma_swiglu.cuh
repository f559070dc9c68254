// wgmma_swiglu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 192, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n192k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_swiglu(
//         x: Mat<bf16, M, K>,
//         gate: Mat<bf16, N, K>,
//         up: Mat<bf16, N, K>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sums over K of x * gate and x * up), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 192, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 192, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 96;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 163904;
//| assertions-a4b11103

//| PRODUCTS-2b5906bf
static_assert(PART_N * PRODUCTS == GROUP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f LEADING-e5009d8c

// B, the operands `gate`, `up`, in shared memory.
struct TileB : BoxTile<bf16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c
//> PartOfB-ba4cd795 Out-64070ef1 Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-d8b0c965
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca global_to_shared-8427dc43 instruction_offset-e923d25e
//> descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
//> wgmma-bc9f5863 warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 skip-95064da4 mainloop-82db7f9f times_sigmoid-4976448b silu-fc8bbe93
//> body-465bc590 Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-d0dea62d

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-ed80663e
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_swiglu_2750fa32016d23f5(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap gate,
    const __grid_constant__ TensorMap up,
    bf16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(gate);
        prefetch_map(up);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&gate, &up}};
    Tiles tiles(m, PRODUCTS * n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, factors_of_b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {};
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
        epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m,
            (block.n + warpgroup.n) / PRODUCTS, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
