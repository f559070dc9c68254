// wgmma_cluster_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 256, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         cluster = [2, 1],
//         mma     = m64n256k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_cluster_products(
//         x: Mat<bf16, M, K>,
//         gate: Mat<bf16, K, N>,
//         up: Mat<bf16, K, N>,
//         residual: Mat<bf16, M, N>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sum over K of x * gate), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_residual-f9cc0124 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 256, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 256, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 128;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 229504;
//| assertions-a4b11103

//| PRODUCTS-2b5906bf
static_assert(PART_N * PRODUCTS == GROUP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileA {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f SHARERS-bcf5d6ab
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

// B in shared memory: panels of 64 columns, each BLK_K rows, Swizzle<3, 3, 3>.
struct TileB {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = 64 * int(sizeof(Element));
    static constexpr int BYTES = ROWS * COLS * int(sizeof(Element));
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-727e74ad SHARERS-7c0242b3 assertions-11387d70

// What one copy brings of a factor of B: PART_N columns of its product, those of one warp.
struct PartOfB : TileB {
    static constexpr int COLS = PART_N, PANELS = PART_N / PANEL_COLS;
    static constexpr int PART_BYTES = PANELS * PANEL_BYTES;
};

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores
constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int MATRICES = 1, PLACES = 2;  // with a slab for each that the body reads
constexpr int SLAB = SLAB_ROWS * SLAB_COLS, PLACE = MATRICES * SLAB;
constexpr int MOVERS = 2;  // warpgroups that store, each with a thread that moves slabs
constexpr int STAGED_ELEMENTS = MOVERS * PLACES * PLACE;

//| Stage-b7b353ab
static_assert(STAGE_BYTES == 49152, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 16, "arrivals");
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 raster-53d67841
//| Tiles-10dbf820 Tiles-3dc4d3b3
//> warps_of-1b903700 CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-f7235e70 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a
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
        if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
        else copy_box(to, operand, box, barrier);
        to += Tile::PANEL_BYTES, box.col += Tile::PANEL_COLS;
    }
}


// Copies the tile of a block at k0 to shared memory: for each warp a part of every factor of B.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const MapsOfB& operands, Block block, int k0, unsigned barrier) {
    block.n /= PRODUCTS;
#pragma unroll
    for (int n = 0; n < BLK_N / PRODUCTS; n += PART_N, block.n += PART_N) {
#pragma unroll
        for (int factor = 0; factor < PRODUCTS; ++factor, to += PartOfB::PART_BYTES) {
            global_to_shared<PartOfB>(to, *operands.of[factor], block, k0, barrier);
        }
    }
}
//> descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x256) = a(64x16) * b(16x256), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[128], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %130, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
        "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "
        "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
        "%123, %124, %125, %126, %127"
        "}, %128, %129, add, 1, 1, 0, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),
          "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
          "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
          "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
          "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-c1321784 Ring-4c31a3eb
//> place_after-d40d0eaa initialise-265176ba expect-d3e4bf12 reserve-36dbc259 copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 drain-bdc98a25 pin-e172eba5 forget-7085c2da multiply-977b9126
//> leave-4446b9a0 mainloop-e5b0b3ee times_sigmoid-4976448b silu-fc8bbe93
__device__ __forceinline__ float body(const float acc, const float acc1, const float residual) {
    return silu(acc) * acc1 + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540 fetch_to_slab-13140eea
//| Values-f29535fd
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in slabs, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[PRODUCTS][COUNT], const Staged* at,
        int row, int col, int rows, int cols) const {
        float at_residual[COUNT];
        load<16>(at_residual, reinterpret_cast<const bf16*>(at), COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[0][i], sums[1][i], at_residual[i]);
        }
    }
//| fill-ee38874e
//> fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34 in_slab-f6c49cfa
//> from_value-23dfb28d
// Applies the body to COUNT sums of `row` from `col` on, whose place in the first slab is `at`, and
// rounds the results.
template <int COUNT>
__device__ __forceinline__ void finish(
    Staged (&elements)[COUNT], const Sum (&sums)[PRODUCTS][COUNT], const Values& values,
    const Staged* at, int row, int col, int rows, int cols) {
    Result results[COUNT];
    values.apply(results, sums, at, row, col, rows, cols);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
}
//> first_band-62720a9a
// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
// The slab is the part of the output from row0 and col0 on.
__device__ __forceinline__ void stage(
    Staged* slab, const Accumulators& acc, int pass, const Values& values,
    int row0, int col0, int rows, int cols) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            Sum of_row[PRODUCTS][2];
#pragma unroll
            for (int product = 0; product < PRODUCTS; ++product) {
                of_row[product][0] = sums[product * PART_SUMS + j];
                of_row[product][1] = sums[product * PART_SUMS + j + 1];
            }
            const Staged* const at = slab + in_slab(row, col);
            finish(pair, of_row, values, at, row0 + row, col0 + col, rows, cols);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}
//> global_to_slab-ffea49d2 are_moved-2614516d
//| Maps-195b6991 fetch-ac83f1df

//| Slabs-ffd3f125 Slabs-e8fd39d8

//| SlabPlace-d65f79d9 advance-1f28b56a
//> initialise_slabs-853028e7 group_moved-f48223c2 Part-432619f0 bring-c01c58ae move-b92e47cb
//> Chunk-4b088f28 fill-41734635 slab_to_global-a124f7d8 epilogue-ca2abb8c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_cluster_products_5a0edaf044fab10e(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap gate,
    const __grid_constant__ TensorMap up,
    const bf16* residual, long long ld_residual,
    const __grid_constant__ TensorMap map_residual,
    bf16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(gate);
        prefetch_map(up);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        initialise(ring);
    }
    initialise_slabs(shared);
    const MapsOfB factors_of_b = {{&gate, &up}};
    Tiles tiles(m, PRODUCTS * n);
    Block block;
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, factors_of_b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, x, factors_of_b, 0, k, started);
                started = 0;
            }
            drain(ring, place);
        }
        const int group = group_moved();
        if (group >= 0 && are_moved(n)) {
            const Slabs slabs(shared, group);
            const Warp warp = warps_of(group);
            const Maps maps = {map_residual, map_out};
            SlabPlace place = {0, 1};  // nothing has been put there: each counts as stored
            while (tiles.next(block)) {
                move(slabs, place, maps, block.m + warp.m, (block.n + warp.n) / PRODUCTS);
            }
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    const Values values = {residual, ld_residual};
    Accumulators acc;
    Place place = {0, 0};
    const Slabs slabs(shared, threadIdx.x / 128);
    SlabPlace slab = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        epilogue(acc, slabs, slab, values, out, ld_out, block.m + warp.m, (block.n + warp.n) /
            PRODUCTS, m, n);
    }
}
