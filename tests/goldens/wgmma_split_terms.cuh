// wgmma_split_terms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warpgroups = [1, 1],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_90a],
//     )]
//     fn wgmma_split_terms(
//         x: Mat<f16, M, K>,
//         w: Mat<f16, N, K>,
//         t: Mat<f16, M, R>,
//         b: Mat<f16, N, R>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(added_scale * sum over R of t * b + sum over K of x * w), for any M, N, R and K.
// K is split among the 2 blocks of a cluster, and each stores a part of the columns.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int SPLITS = 2;  // blocks of a cluster, which share the K of a tile
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 98368;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
// A, the operand `x`, after `t`, in shared memory.
struct TileA : BoxTile<f16, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f LEADING-e5009d8c

// B, the operand `w`, after `b`, in shared memory.
struct TileB : BoxTile<f16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N / SPLITS;  // columns of an atom that a block stores
static_assert(STORED_N % 8 == 0, "each block of a cluster stores whole bands");
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 1 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-83b0f6cb
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 cluster_sync-8c606707 release_shared-da5de3a5
//> Part-10a48ef8 TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-e68ba2a2 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-eb7f70dc wait_for_products-ea9687cb
//> clear-39daced7 mainloop-e040bdb1 relu-5d722858
__device__ __forceinline__ float body(const float acc) {
    return relu(acc);
}
//> times-4094cbe4 scale_sums-9d2c4f80
// What the added term is multiplied by.
__device__ __forceinline__ float added_scale() {
    return -2.0f;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> at_rank-f6076108 store_at_rank-f0a15fc0 send_sums-2cb645ae reduce-6aaf8098 fetch-47ed8540
//> shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(SPLITS, 1, 1) __launch_bounds__(THREADS, 1) wgmma_split_terms_25aac83c856922b4(
    int m, int n, int k, int added_k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap t,
    const __grid_constant__ TensorMap b,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        prefetch_map(t);
        prefetch_map(b);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x / SPLITS));
    const Part added = part_of_block(added_k);
    const Part part = part_of_block(k);
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, t, b, added.from, added.k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, t, b, added.from, added.k, started);
            produce(ring, state, block, x, w, part.from, part.k, 0);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    clear(acc);
    mainloop(acc, ring, state, warpgroup, added.k);
    scale_sums(acc, added_scale());
    mainloop(acc, ring, state, warpgroup, part.k);
    reduce(acc, shared, cluster_rank());
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
        warpgroup.n + cluster_rank() * STORED_N, m, n);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
