// wgmma_batched, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_batched(
//         a: Batched<bf16, B, M, K>,
//         b: Batched<bf16, B, N, K>,
//         bias: Batched<bf16, B, N>,
//     ) -> Batched<bf16, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-ac751308 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 106544;
//| assertions-a4b11103
//> Sum-c2bacfdf TensorMap-d3462307
// The first element of a box.
struct BatchBox { int col, row, matrix; };

//| TileA-e20324f5 box-3d1bf9e6 LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-4835997b box-0f6d50f8 LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> Out-565b7fb5
//| Stage-35b63f01
static_assert(STAGE_BYTES == 24576, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> raster-9b7d8b7b
//| Tiles-c0931782 Tiles-66e2aef0
//> warps-72c7d2da CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2caac2fa global_to_shared-24d28b00 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f fewer_registers-7e5aec41
//> tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-e5b0b3ee relu-5d722858 body-44d0bef3 Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-69b15af8 apply-66c80ebd
//> fetch-47ed8540 fence_to_copies-b0d621c1 shared_to_global-f09fd856 await_reads-63a34c34
//> in_slab-f6c49cfa from_value-23dfb28d finish-a17474ac first_band-62720a9a stage-7f56984f
//> Chunk-947eec42
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, const TensorMap& map, int matrix,
    int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
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
            if (thread == 0) shared_to_global(map, slab, matrix, first_row, first_col);
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
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_batched_cefd1dec9d81f946(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const bf16* bias, long long stride_bias,
    bf16* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        initialise(ring);
    }
    Tiles tiles(m, n, matrices);
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
    Accumulators acc;
    Place place = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        const Values values = {bias + block.batch * stride_bias};
        epilogue(acc, shared.staged, values, out + block.batch * stride_out, ld_out, map_out,
            block.batch, block.m + warp.m, block.n + warp.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
