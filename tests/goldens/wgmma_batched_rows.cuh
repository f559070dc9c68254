// wgmma_batched_rows, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 96, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n96k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_batched_rows(
//         x: Batched<bf16, B, M, K>,
//         w: Mat<bf16, N, K>,
//     ) -> (Batched<bf16, B, M, N>, Batched<f32, B, M>)
//
// out0(B, M, N), out1(B, M) = body(sum over K of x * w), for any B, M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_out0 = 16;
//> bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 96, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 96, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 48;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 147520;
//| assertions-a4b11103
//> Sum-d832b4f6 TensorMap-d3462307 Box-635e1a60
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-3d1bf9e6 LEADING-e5009d8c

//| TileB-ece13cca box-7bdd4d5e LEADING-e5009d8c

// The outputs: M rows of N elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
struct Result { float out0; float out1; };  // of the body
constexpr int OUT_VECTOR = ALIGN_out0 / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-45965134
//> TileIndex-8baeca33 raster-d5c0e186
//| Tiles-0224ff69 Tiles-c0bd7d15
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> copy_box-2caac2fa global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-2fe98464
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 skip-95064da4 mainloop-82db7f9f body-c4c0cf44 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> fetch-47ed8540 shared_to_global-e2e29ade await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 16, ACROSS = 96;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out1;  // its sum
    __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        return Partials<COUNT, LINES>::of<96, 1>(values, arrivals, matrix, lines, others);
    }
//| identity-9bfb41b1 element-9d33ecbd combined-44e8dbe8 store-6f2e0ff5

//| Rows-68dcfb3f start-0deba9c3 take-6bfe62de put-6d9362da
//> count_in-590de4b0 reduce_parts-1c887ef6 finish_rows-697706c4
typedef Rows<RowReductions> Reductions;
//> stored-1be5dd62 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-d3deec6b operator-e1ad2c2b
//> Chunk-390e1dbd
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes. Each stages results in
// an epilogue tile. The copy unit stores it where rows are whole numbers of 16 bytes, in which it
// counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    Reductions reductions,
    const TensorMap& map, int matrix, int row0, int col0, int rows, int cols) {
    constexpr bool EVEN = PASSES % EPILOGUE_TILES == 0;  // the next tile begins with the first
    const bool boxes = OUT_VECTOR * int(sizeof(Out)) == 16 && cols % OUT_VECTOR == 0;
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<EPILOGUE_TILES - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) warpgroup_sync();  // the epilogue tile has been read
        const int of_atom = pass % ATOM_PASSES;
        if (of_atom == 0) reductions.start();
        const int first = col0 + of_atom * PASS_BANDS * 8;
        stage(of_pass, acc, pass, PutResults{values, tile, first, reductions});
        if (of_atom == ATOM_PASSES - 1) reductions.put(tile.row, col0 / STORED_N);
        if (boxes) fence_proxy_async();
        warpgroup_sync();  // which also says that the tile before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, of_pass, matrix, tile.row, tile.col);
            continue;
        }
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, of_pass + chunk.staged, OUT_VECTOR);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
    finish_rows(reductions.of, row0, col0, cols);
}

// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_batched_rows_e6835eb861cb7dfe(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    bf16* out0, long long ld_out0, long long stride_out0,
    const __grid_constant__ TensorMap map_out0,
    f32* out1, long long stride_out1,
    int matrices,
    void* partials_m, unsigned* arrivals_m) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        prefetch_map(map_out0);
        init_barriers(ring);
    }
    Tiles tiles(m, n, matrices);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, w, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, w, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
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
        const Values values = {};
        const Outputs outputs = {out0 + block.batch * stride_out0, ld_out0};
        const RowReductions of_rows =
            {RowReductions::partials_of(partials_m, arrivals_m, block.batch, m, n), out1 +
            block.batch * stride_out1};
        epilogue(acc, shared.staged, values, outputs, {of_rows}, map_out0, block.batch, block.m +
            warpgroup.m, block.n + warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
