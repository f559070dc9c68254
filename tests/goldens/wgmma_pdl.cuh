// wgmma_pdl, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 64],
//         warpgroups = [1, 1],
//         mma     = m64n32k16,
//         copy(a = tma(evict_last), b = tma(evict_first)),
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         pdl     = [w],
//         targets = [sm_90a],
//     )]
//     fn wgmma_pdl(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-a031b639 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 32, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 16;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 36912;
//| assertions-a4b11103
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4 evict_last-e089d0fd evict_first-d16f1445
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static __device__ __forceinline__ unsigned long long policy() { return evict_last(); }
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static __device__ __forceinline__ unsigned long long policy() { return evict_first(); }
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> Out-66be849d
//| Stage-94113b4c
static_assert(STAGE_BYTES == 12288, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> raster-774b3866 warps-72c7d2da CONSUMERS-df590274 group_sync-4d18ec10
//> wait_for_predecessor-974059a8 launch_dependents-1d1a91c5 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-efcf5e1f
// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
    copy_box(to, operand, box, barrier, Tile::policy());
}
//> descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x32) = a(64x16) * b(16x32), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %18, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
        "}, %16, %17, add, 1, 1, 0, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-bc59b4a8 complete-ea6627f1 produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126
//> leave-64a84e10 mainloop-31c3c1e1 relu-5d722858 body-44d0bef3 Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-f7257bba apply-66c80ebd
//> fetch-47ed8540 in_slab-5a573d87 from_value-23dfb28d finish-a17474ac
// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
// The slab is the part of the output from row0 and col0 on.
__device__ __forceinline__ void stage(
    Staged* slab, const Accumulators& acc, int pass, const Values& values,
    int row0, int col0, int rows, int cols) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;  // the last pass of an atom has fewer
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            const Sum of_row[2] = {sums[j], sums[j + 1]};
            finish(pair, of_row, values, row0 + row, col0 + col, rows, cols);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}
//> Chunk-947eec42
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results, so that each thread then stores OUT_VECTOR elements of one
// row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    consumers_sync();  // the ring has been read
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
        Staged* const slab = slabs + pass % SLABS * SLAB;
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
        group_sync();  // which also says that the slab before has been read
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
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_pdl_71042966683a0d54(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const f16* bias,
    f16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        initialise(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start<TileB>(ring, block, w, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        wait_for_predecessor();
        launch_dependents();
        if (threadIdx.x == CONSUMERS) {
            complete<TileA>(ring, block, x, 0, started);
            Place place = place_after(started);
            produce(ring, place, block, x, w, 0, k, started);
        }
        return;
    }
    wait_for_predecessor();
    launch_dependents();
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    mainloop(acc, ring, place, warp, k);
    const Values values = {bias};
    epilogue(acc, shared.staged, values, out, ld_out, block.m + warp.m, block.n + warp.n, m, n);
}
