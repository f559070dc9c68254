// wgmma_cluster_n, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warpgroups = [1, 1],
//         cluster = [1, 2],
//         mma     = m64n64k16,
//         copy(a = tma(evict_last), b = tma),
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_cluster_n(a: Mat<bf16, K, M>, b: Mat<bf16, K, N>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 2, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 49200;
//| assertions-a4b11103
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4 evict_last-e089d0fd evict_normal-be44543b
// A in shared memory: panels of 64 columns, each BLK_K rows, Swizzle<3, 3, 3>.
struct TileA {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = 64 * int(sizeof(Element));
    static constexpr int BYTES = ROWS * COLS * int(sizeof(Element));
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    static __device__ __forceinline__ unsigned long long policy() { return evict_last(); }
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-c1e0115a
    // Blocks of a cluster that multiply it, and how far apart their ranks are.
    static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;
    static constexpr int LEADING = 8192, STRIDE = 1024;  // bytes, of a descriptor
    // Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
    static __device__ __forceinline__ int offset(int mn, int k) {
        return mn / 64 * LEADING + k * PITCH;
    }
};
//| assertions-a3043708

// B in shared memory: panels of 64 columns, each BLK_K rows, Swizzle<3, 3, 3>.
struct TileB {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = 64 * int(sizeof(Element));
    static constexpr int BYTES = ROWS * COLS * int(sizeof(Element));
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    static __device__ __forceinline__ unsigned long long policy() { return evict_normal(); }
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-727e74ad SHARERS-7c0242b3 assertions-11387d70
//> Out-b80ef664
// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct Shared {
    union {
        Stage ring[STAGES];
        Staged staged[STAGED_ELEMENTS];
    };
    Barriers barriers;
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
constexpr unsigned FULL_ARRIVALS = 1;
constexpr unsigned EMPTY_ARRIVALS = (CLUSTER_M + CLUSTER_N - 1) * GROUPS_M * GROUPS_N * 4;
// The plan has enumerated the boxes that land in a stage and the threads that arrive.
//| assertions-68c5eceb
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 raster-53d67841 warps-72c7d2da CONSUMERS-df590274
//> group_sync-4d18ec10 prefetch_map-1cb18679 mbarrier_init-ae866601 mbarrier_init_fence-f7235e70
//> mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145
//> mbarrier_wait-7baea3f0 mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42
//> copy_box-efcf5e1f
// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
    unsigned to, const TensorMap& operand, Box box, unsigned barrier, unsigned short blocks,
    unsigned long long policy) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster.L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5, %6;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(barrier), "h"(blocks),
                    "l"(policy) : "memory");
}
//> part_of-9a205dbf sharers-7030810a
// Copies the tile of a block at k0 to shared memory, a box for each panel; `barrier` counts the
// bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
    // Of a tile that several blocks of a cluster multiply, each copies a part of the rows to all.
    if constexpr (Tile::SHARERS > 1) {
        constexpr int ROWS = Tile::ROWS / Tile::SHARERS;
        static_assert(ROWS * Tile::SHARERS == Tile::ROWS, "a part has whole rows");
        const int first = part_of<Tile>() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
        if constexpr (Tile::SHARERS > 1) {
            multicast_box(to, operand, box, barrier, sharers<Tile>(), Tile::policy());
        } else {
            copy_box(to, operand, box, barrier, Tile::policy());
        }
        to += Tile::PANEL_BYTES, box.col += Tile::PANEL_COLS;
    }
}
//> descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x64) = a(64x16) * b(16x64), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %34, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, add, 1, 1, 1, 1;\n\t}"
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
//> start-be96bd4e produce-e2e0ba13 drain-bdc98a25 pin-e172eba5 forget-7085c2da multiply-977b9126
//> leave-4446b9a0 mainloop-e5b0b3ee body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-de0713e1
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34
//> in_slab-f6c49cfa finish-a17474ac first_band-62720a9a stage-7f56984f Chunk-947eec42
//> epilogue-1bcffc2c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_cluster_n_ef1105d0ccd941ad(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        initialise(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x / CLUSTER));
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            produce(ring, place, block, a, b, 0, k, started);
            drain(ring, place);
        }
        return;
    }
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    mainloop(acc, ring, place, warp, k);
    const Values values = {};
    epilogue(acc, shared.staged, values, out, ld_out, map_out, block.m + warp.m, block.n + warp.n,
        m, n);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
