// wgmma_f16x3_cluster_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         cluster = [2, 1],
//         mma     = m64n64k16,
//         precision = f16x3,
//         promote = 64,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_f16x3_cluster_pingpong(
//         a: Batched<f32, B, M, K>,
//         b: Mat<f32, N, K>,
//         residual: Batched<f32, B, M, N>,
//     ) -> Batched<f32, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of a, which runs along K, is 2^exponents_a[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_residual-975376ac f16-14d17a46 f32-4eeb73e9 i32-10da165a
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = BLK_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 4, RASTER = 8;
constexpr int PROMOTED = 2;  // k-tiles whose products the tensor cores sum
constexpr int PROMOTED_SUMS = SUMS;  // at a time
constexpr int SHARED_BYTES = 98432;
//| assertions-80f8170a
//> Sum-d832b4f6 TensorMap-d3462307 Box-635e1a60
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-51acaee2 box-3d1bf9e6 SHARERS-59bc54a5

//| TileB-7ad32845 box-7bdd4d5e SHARERS-5b96fec6

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 32;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS;
typedef Swizzle<3, 2, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int EPILOGUE_STAGES = 2;
constexpr int EPILOGUE_STAGE = 1 * EPILOGUE_TILE;  // one for each matrix that is read
constexpr int STORERS = 2;  // warpgroups that store, each with a thread that copies
constexpr int STAGED_ELEMENTS = STORERS * EPILOGUE_STAGES * EPILOGUE_STAGE;
//> Stage-80d34ffb Barriers-db51eeef EpilogueBarriers-92705032
//| Shared-f7c6dc81
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb assertions-05652d6b
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-7662af3b
//| Tiles-0224ff69 Tiles-c0bd7d15
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2caac2fa
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-5a0a2f83
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d Steps-6253ec8b steps_of-428ba267
//> clear-39daced7 Unpromoted-e3790c7c multiply-82ba547b multiply-2e35231e promote-43c14859
//> release-481bfcfd wait_for_products-9216f7e8 multiply_all-016e7d8d skip-95064da4
//> mainloop-82db7f9f unscale-47781784
__device__ __forceinline__ float body(
        const float acc,
        const float residual,
        const int exponents_a,
        const int exponents_b) {
    return 0.5f * unscale(acc, exponents_a, exponents_b) + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//> Same-cb01456c
//| MatrixRun-2918a2a6 read-78c20bf3

//| VectorSame-060903a6 read-634d64a4

//| VectorRun-94e1a28f read-1a9b8962
//> in_tile-b3e81b6b fill_tile-212dc4e2
// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f32, ALIGN_residual> residual;
    VectorSame<i32, int> exponents_a;
    VectorRun<i32, int> exponents_b;
//| fill-ed1e705e
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in epilogue tiles, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Staged* at, int row, int col,
            int rows, int cols) const {
        const auto at_residual = in_tile<f32, float, COUNT>(at);
        const auto at_exponents_a = exponents_a.read<COUNT>(row, col, rows, cols);
        const auto at_exponents_b = exponents_b.read<COUNT>(row, col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_residual[i], at_exponents_a[i], at_exponents_b[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> shared_to_global-e2e29ade await_reads-5524745e in_epilogue_tile-8d677ec9 first_band-7bc79b08
//> EpilogueTile-57021fd8 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-563f7e31 operator-b04589cd
//> global_to_tile-2936593b are_copied-a314c75c
//| Maps-991980db bytes-c037436e
    // Issues the copies of the part of each matrix from (row, col) on to a stage.
    __device__ __forceinline__ void load(
        unsigned stage, int matrix, int row, int col, unsigned barrier) const {
        global_to_tile(residual, stage, matrix, row, col, barrier);
    }
};

//| EpilogueRing-d60f8d28 EpilogueRing-2f31e564 loaded_barrier-cd6be725 written_barrier-0b0f7285
//> init_epilogue_barriers-37e6292b copied_group-2e6757bf load_stage-557b457f
//> load_and_store-aa085815 Chunk-2f25dd70 fill-93bd6d85 shared_to_global-d5a04d84 epilogue-974cfb6a
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_f16x3_cluster_pingpong_b0413e5030880c03(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const int* exponents_a, long long stride_exponents_a,
    const __grid_constant__ TensorMap b,
    const int* exponents_b,
    const f32* residual, long long ld_residual, long long stride_residual,
    const __grid_constant__ TensorMap map_residual,
    f32* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    init_epilogue_barriers(shared);
    Tiles tiles(m, n, matrices);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, a, b, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        const int copied = copied_group();
        if (copied >= 0 && are_copied(n)) {
            const EpilogueRing epilogue_ring(shared, copied);
            const Warpgroup warpgroup = warpgroup_of(copied);
            const Maps maps = {map_residual, map_out};
            EpilogueState state = {0, 1};  // nothing is there yet: each stage counts as stored
            if (copied == 1) tiles.advance();
            while (tiles.next(block)) {
                load_and_store(epilogue_ring, state, maps, block.batch, block.m + warpgroup.m,
                    block.n + warpgroup.n);
                tiles.advance();
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);
    EpilogueState epilogue_state = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        ordered_barrier_arrive(0);
        tiles.advance(), skip(state, k_tiles(k));
    }
    while (tiles.next(block)) {
        ordered_barrier_wait(group);
        mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);
        const Values values = {residual + block.batch * stride_residual, ld_residual, exponents_a +
            block.batch * stride_exponents_a, exponents_b};
        const Outputs outputs = {out + block.batch * stride_out, ld_out};
        epilogue(acc, epilogue_ring, epilogue_state, values, outputs, block.m + warpgroup.m, block.n
            + warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
