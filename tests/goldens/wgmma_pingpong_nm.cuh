// wgmma_pingpong_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 104, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n104k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_pingpong_nm(
//         a: Mat<f16, M, K>,
//         b: Mat<f16, N, K>,
//         scale: Vector<f32, M>,
//     ) -> Mat<f16, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 104, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 104, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 52;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 97328;
//| assertions-a4b11103
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4
//| TileA-827722dd box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-e6d9719c box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: N rows of M elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

//| Stage-35b63f01
static_assert(STAGE_BYTES == 21504, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> raster-774b3866
//| Tiles-c0931782 Tiles-d34f4c88
//> warps-72c7d2da CONSUMERS-d91dc5ba group_sync-4d18ec10 await_turn-52a5b680 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-24d28b00 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x104) = a(64x16) * b(16x104), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[52], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %54, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n104k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51"
        "}, %52, %53, add, 1, 1, 0, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-d85872b0 skip-c257e6aa

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-3f655bcf
__device__ __forceinline__ float body(const float acc, const float scale) {
    return acc * scale;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-cdab3350
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int rows, int cols) const {
        float at_scale[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            at_scale[i] = col + i < cols ? to_value(scale[col + i]) : float(0);
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_scale[i]);
        }
    }
};
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-93c21ac9 await_reads-63a34c34
//> in_slab-f6c49cfa from_value-23dfb28d finish-a17474ac first_band-62720a9a stage-f084408a
//> Chunk-947eec42
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, const TensorMap& map, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
        const int first_row = row0 + band0 * 8, first_col = col0 + atom * MMA_M;
        const int last_row = min(rows, row0 + STORED_N), last_col = cols;
        Staged* const slab = slabs + pass % SLABS * SLAB;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) group_sync();  // the slab has been read
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
        if (boxes) fence_to_copies();
        group_sync();  // which also says that the slab before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, slab, first_row, first_col);
            continue;
        }
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, slab + from, OUT_VECTOR);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_pingpong_nm_2cfe36b8993c6530(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f32* scale,
    f16* out, long long ld_out,
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
    const Values values = {scale};
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
        epilogue(acc, shared.staged, values, out, ld_out, map_out, block.n + warp.n, block.m +
            warp.m, n, m);
        tiles.skip(), place.skip(tiles_of(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
