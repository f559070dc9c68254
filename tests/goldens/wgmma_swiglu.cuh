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
// out(M, N) = body(sum over K of x * gate), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 192, BLK_K = 64;
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
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| TileA-e20324f5 box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-18beab58 box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> PartOfB-ba4cd795
// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores
constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

//| Stage-35b63f01 assertions-e97f1d88
//> raster-774b3866
//| Tiles-c0931782 Tiles-d34f4c88
//> warps-72c7d2da CONSUMERS-d91dc5ba group_sync-4d18ec10 await_turn-52a5b680 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-4beab874 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-bc9f5863 fewer_registers-7e5aec41
//> tiles_of-1c942b22
//| Place-b0147a8f advance-d85872b0 skip-c257e6aa

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-3f655bcf times_sigmoid-4976448b silu-fc8bbe93 body-465bc590 Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-b912801f apply-d3ae9d27
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34
//> in_slab-f6c49cfa from_value-23dfb28d finish-55f3fc28 first_band-62720a9a stage-266cb62d
//> Chunk-947eec42 epilogue-2623ee93
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_swiglu_17a474089d5fddd3(
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
        initialise(ring);
    }
    const MapsOfB factors_of_b = {{&gate, &up}};
    Tiles tiles(m, PRODUCTS * n);
    Block block;
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, x, factors_of_b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    const Values values = {};
    Accumulators acc;
    Place place = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        give_turn(0);
        tiles.skip(), place.skip(tiles_of(k));
    }
    while (tiles.next(block)) {
        await_turn(group);
        mainloop(acc, ring, place, warp, k, tiles.left() ? 1 - group : -1);
        epilogue(acc, shared.staged, values, out, ld_out, map_out, block.m + warp.m,
            (block.n + warp.n) / PRODUCTS, m, n);
        tiles.skip(), place.skip(tiles_of(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
