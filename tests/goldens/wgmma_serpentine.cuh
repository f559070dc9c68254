// wgmma_serpentine, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         k_order = serpentine,
//         cluster = [2, 1],
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         pdl     = [w],
//         targets = [sm_90a],
//     )]
//     fn wgmma_serpentine(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 106544;
//| assertions-a4b11103
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4
//| TileA-827722dd box-016ed81f SHARERS-bcf5d6ab
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-e6d9719c box-7bdd4d5e SHARERS-bdd91df1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 32, SLABS = 2;
constexpr int SLAB_UNIT = 4;  // elements that keep together
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

//| Stage-6bc42997
static_assert(STAGE_BYTES == 24576, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 16, "arrivals");
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 raster-53d67841
//| Tiles-10dbf820 Tiles-3dc4d3b3
//> warps-72c7d2da CONSUMERS-e91f571a group_sync-4d18ec10 wait_for_predecessor-974059a8
//> launch_dependents-1d1a91c5 prefetch_map-1cb18679 mbarrier_init-ae866601
//> mbarrier_init_fence-f7235e70 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_arrive_at-c3912136
//> mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe multicast_box-8be5e044 part_of-9a205dbf
//> sharers-7030810a global_to_shared-aa4ccfe2 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x64) = a(64x16) * b(16x64), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %34, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, 0, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-c1321784 Ring-4c31a3eb
//> place_after-d40d0eaa initialise-265176ba expect-d3e4bf12 reserve-36dbc259 copy_tile-ecf575e7
//> start-bc59b4a8 complete-ea6627f1
// The producer, one thread: brings the k-tiles of A and B, k from `from` on, to the stages that
// the consumers have left. The first `started` of them have been requested.
// In every second tile of the output from the last k-tile to the first: the last ones of the tile
// before are in L2.
__device__ __forceinline__ void produce(
    Ring ring, Place& place, Block block, const TileA::Factor& a, const TileB::Factor& b,
    int from, int k, int started, bool backwards) {
    const int tiles = tiles_of(k);
    for (int tile = started; tile < tiles; ++tile, place.advance()) {
        const int k0 = from + (backwards ? tiles - 1 - tile : tile) * BLK_K;
        reserve(ring, place);
        copy_tile<TileA>(ring, place.stage, block, a, k0);
        copy_tile<TileB>(ring, place.stage, block, b, k0);
    }
}
//> drain-bdc98a25 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-4446b9a0 mainloop-e5b0b3ee
//> body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-de0713e1
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34
//> in_slab-f6c49cfa finish-a17474ac first_band-62720a9a stage-7f56984f Chunk-947eec42
//> epilogue-2623ee93
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_serpentine_b659b4e0dee77994(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    f32* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        prefetch_map(map_out);
        initialise(ring);
    }
    Tiles tiles(m, n);
    Block block;
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start<TileB>(ring, tiles.first(), w, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        wait_for_predecessor();
        launch_dependents();
        if (threadIdx.x == CONSUMERS) {
            complete<TileA>(ring, tiles.first(), x, 0, started);
            Place place = place_after(started);
            bool backwards = false;
            while (tiles.next(block)) {
                produce(ring, place, block, x, w, 0, k, started, backwards);
                started = 0;
                backwards = !backwards;
            }
            drain(ring, place);
        }
        return;
    }
    more_registers<240>();
    wait_for_predecessor();
    launch_dependents();
    const Warp warp = warps();
    const Values values = {};
    Accumulators acc;
    Place place = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        epilogue(acc, shared.staged, values, out, ld_out, map_out, block.m + warp.m, block.n +
            warp.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
