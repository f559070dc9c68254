// wgmma_in_turn_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         cluster = [1, 2],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_in_turn_pingpong(
//         x: Mat<f16, M, K>,
//         q: Mat<f16, K, N>,
//         k: Mat<f16, K, N2>,
//         of_q: Mat<f16, M, N>,
//         of_k: Mat<f16, M, N2>,
//     ) -> (Mat<f16, M, N>, Mat<f16, M, N2>)
//
// out0(M, N), out1(M, N2) = body(sums over K of x * q and x * k), for any M, N, N2 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_esc_of__q-542ddd0b f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 2, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 131136;
//| assertions-a4b11103

constexpr int SEGMENTS = 2;  // products with columns of their own
//> Sum-fbcb2599 TensorMap-4eb42d3a Box-9697fac4 MapsOfB-8b391299
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-008c7e7f box-016ed81f SHARERS-59bc54a5

// B, one of `q`, `k`, in shared memory.
struct TileB : BoxTile<f16, BLK_K, BLK_N> {
    static constexpr bool K_CONTIGUOUS = false;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-727e74ad SHARERS-85e3b98b

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in epilogue tiles of its own.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out0 / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Sum Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 32;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<2, 3, 2> EpilogueSwizzle;
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb assertions-8152affd
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-3f3c0c23
//| Tiles-0224ff69 Tiles-fe013337

//| Segments-c73a4cea columns-e8c09564 place-f1922171

//| TilesOfSegments-56ad1d1b TilesOfSegments-53714822
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-11d464bc global_to_shared-17d1b82d
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-bbb126f0 warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 skip-95064da4 mainloop-82db7f9f
__device__ __forceinline__ float body(const float acc, const float esc_of__q) {
    return acc + esc_of__q;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f16, ALIGN_esc_of__q> esc_of__q;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f16, COUNT> esc_of__q;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        esc_of__q.read(read.esc_of__q, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.esc_of__q[i]));
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-c6c88b57 stage-6b98c9a0
//| PutSums-517d7291 operator-e24e5c06
//> Chunk-390e1dbd load_sums-289e2b4d read-77828863 epilogue-ad4f15e7
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_in_turn_pingpong_920f90041ce593af(
    int m, int n, int k, int n1,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const f16* esc_of__q, long long ld_esc_of__q,
    const f16* esc_of__k, long long ld_esc_of__k,
    f16* out0, long long ld_out0,
    f16* out1, long long ld_out1) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(q);
        prefetch_map(k_);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&q, &k_}};
    const Segments segments = {{n, n1}};
    TilesOfSegments tiles(Tiles(m, segments.columns()), segments);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, factors_of_b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<40>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, factors_of_b, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    warpgroup_reg_alloc<232>();
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
        const Values values = {of_segment(block.segment, esc_of__q, esc_of__k),
            of_segment(block.segment, ld_esc_of__q, ld_esc_of__k)};
        const Outputs outputs = {of_segment(block.segment, out0, out1),
            of_segment(block.segment, ld_out0, ld_out1)};
        warpgroup_sync();  // the epilogue tiles have been read
        epilogue(acc, shared.staged, values, outputs, block.m + warpgroup.m, block.n + warpgroup.n,
            m, of_segment(block.segment, n, n1));
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
