// converted_wgmma_cluster, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 16, 64],
//         warpgroups = [1, 1],
//         schedule = cooperative,
//         cluster = [1, 2],
//         mma     = m64n16k16,
//         copy    = tma,
//         swizzle(a = [1, 4, 3], b = [3, 3, 3]),
//         stages  = 5,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn converted_wgmma_cluster(w: Mat<u4x2, M, K>, x: Mat<f16, N, K>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of w * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c f16-14d17a46 f32-4eeb73e9 u4x2-ab03ce15
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 16, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 2, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 16, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 8;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 4;  // whose factors are converted at a time
constexpr int STAGES = 5, RASTER = 8;
constexpr int SHARED_BYTES = 36944;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<u4x2, BLK_M, BLK_K / 2, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-df35442a
    // Blocks of a cluster that multiply it, and how far apart their ranks are.
    static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;
    static constexpr int NUMBERS = 2;  // of an element
    static constexpr int VECTOR_BYTES = 16;  // that the lanes of a line load
};

//| TileB-4ee4420a box-7bdd4d5e SHARERS-5b96fec6
//> Out-84d99cbf Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb
static_assert(BOXES_BYTES == 4096, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-3f3c0c23
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x16) = a(64x16) * b(16x16), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[8], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %13, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7"
        "}, {%8, %9, %10, %11}, %12, add, 1, 1, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2
// Waits until the consumers of all blocks that get a part of it have released a stage, and lets it
// expect a k-tile.
__device__ __forceinline__ void producer_acquire(Ring ring, RingState state) {
    mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
    fence_proxy_async();  // threads have loaded from it
    mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);
}
//> producer_tail-a4d2a451 copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d load_shared-4f0c7563
//> shared_to_register-25aa7239 sub_f16x2-af095d53 take_pairs-fe96df99 to_factor-3d5b64ef
//> ScalesA-8c7d6c43 scaled-a3f14ce3 FactorsA-3d147b4d convert-72c45e78 PARTS-ad24c379
//> multiply-86f7b157 multiply_tile-b7f2b648 multiply_all-80a918c8 wait_for_products-ea9687cb
//> clear-39daced7
// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N).
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales, int k) {
    const int tiles = k_tiles(k);
    if (tiles == 0) {
        clear(acc);
        return;
    }
    const unsigned last = multiply_all(acc, ring, state, warpgroup, scales, tiles);
    wait_for_products(acc);
    consumer_release(ring, last);
}
//> body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-e9b9efd2
//> stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    converted_wgmma_cluster_6c1677213713244f(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap x,
    f32* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(w);
        prefetch_map(x);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), w, x, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, w, x, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        ScalesA scales_a;
        mainloop(acc, ring, state, warpgroup, scales_a, k);
        warpgroup_sync();  // the epilogue tiles have been read
        epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m,
            n, m);
    }
}
