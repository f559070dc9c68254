// wgmma_float8, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 72, 128],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         mma     = m64n72k32,
//         copy    = tma,
//         swizzle = [3, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_float8(
//         a: Mat<e4m3, M, K>,
//         b: Mat<e5m2, N, K>,
//         scale_a: Vector<f32, M>,
//         scale_b: Vector<f32, N>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-8a0c4f8d bf16-3500fa9b f32-4eeb73e9 e4m3-df49a261 e5m2-14bbb1cc
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 72, BLK_K = 128;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 72, MMA_K = 32;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 36;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 109616;
//| assertions-a4b11103
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 4, 3>.
struct TileA {
    typedef e4m3 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 4, 3>.
struct TileB {
    typedef e5m2 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> Out-565b7fb5
//| Stage-35b63f01
static_assert(STAGE_BYTES == 25600, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> raster-774b3866
//| Tiles-c0931782 Tiles-d34f4c88
//> warps-72c7d2da CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-24d28b00 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x72) = a(64x32) * b(32x72), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[36], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %38, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n72k32.f32.e4m3.e5m2 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35"
        "}, %36, %37, add, 1, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-e5b0b3ee body-ae1149e5 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-fc68bcf4
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int rows, int cols) const {
        const float at_scale_a = row < rows ? to_value(scale_a[row]) : float(0);
        float at_scale_b[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            at_scale_b[i] = col + i < cols ? to_value(scale_b[col + i]) : float(0);
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_scale_a, at_scale_b[i]);
        }
    }
};
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34
//> in_slab-f6c49cfa from_value-23dfb28d finish-a17474ac first_band-62720a9a stage-7f56984f
//> Chunk-947eec42 epilogue-2623ee93
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_float8_f8a0936e0dfa6d92(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f32* scale_a,
    const f32* scale_b,
    bf16* out, long long ld_out,
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
    Tiles tiles(m, n);
    Block block;
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, a, b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    const Values values = {scale_a, scale_b};
    Accumulators acc;
    Place place = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        epilogue(acc, shared.staged, values, out, ld_out, map_out, block.m + warp.m, block.n +
            warp.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
