// wgmma_f16x3_split, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warpgroups = [1, 1],
//         mma     = m64n64k16,
//         precision = f16x3,
//         promote = 64,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_90a],
//     )]
//     fn wgmma_f16x3_split(
//         a: Batched<f32, B, M, K>,
//         b: Batched<f32, B, K, N>,
//     ) -> Batched<bf16, B, M, N>
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// K is split among the 2 blocks of a cluster, and each stores a part of the columns.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of a, which runs along K, is 2^exponents_a[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-0a49233d f16-14d17a46 bf16-3500fa9b f32-4eeb73e9 i32-10da165a
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int SPLITS = 2;  // blocks of a cluster, which share the K of a tile
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = BLK_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 3, RASTER = 8;
constexpr int PROMOTED = 2;  // k-tiles whose products the tensor cores sum
constexpr int PROMOTED_SUMS = SUMS;  // at a time
constexpr int SHARED_BYTES = 49200;
//| assertions-80f8170a
//> Sum-d832b4f6 TensorMap-d3462307 BatchBox-d09c892f
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-51acaee2 box-3d1bf9e6 LEADING-e5009d8c

//| TileB-7ad32845 box-0f6d50f8 LEADING-e5009d8c

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
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

//| FULL_ARRIVALS-7b2eab33 assertions-551c1aa5
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 cluster_sync-8c606707 release_shared-da5de3a5
//> Part-10a48ef8 TileIndex-8baeca33 raster-d5c0e186 warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2caac2fa global_to_shared-cabdcfca
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-5a0a2f83 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b Steps-6253ec8b steps_of-428ba267 clear-39daced7 Unpromoted-e3790c7c
//> multiply-82ba547b multiply-2e35231e promote-43c14859 release-481bfcfd wait_for_products-9216f7e8
//> multiply_all-016e7d8d mainloop-28c36f25 unscale-47781784 body-0ae81b68 Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1 Same-cb01456c
//| VectorSame-060903a6 read-634d64a4

//| VectorRun-94e1a28f read-1a9b8962

//| Values-4f6f97fd apply-79b6d44a

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> at_rank-f6076108 store_at_rank-f0a15fc0 send_sums-2cb645ae reduce-6aaf8098 fetch-47ed8540
//> from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-c6c88b57
//> stage-6b98c9a0 take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(SPLITS, 1, 1) __launch_bounds__(THREADS, 1) wgmma_f16x3_split_e3afce58b9d1803e(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const int* exponents_a, long long stride_exponents_a,
    const __grid_constant__ TensorMap b,
    const int* exponents_b, long long stride_exponents_b,
    bf16* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x / SPLITS));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    exponents_a += block.batch * stride_exponents_a;
    exponents_b += block.batch * stride_exponents_b;
    out += block.batch * stride_out;
    const Part part = part_of_block(k);
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, part.from, part.k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, a, b, part.from, part.k, started);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, part.k);
    reduce(acc, shared, cluster_rank());
    const Values values = {exponents_a, exponents_b};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.m + warpgroup.m, block.n + warpgroup.n +
        cluster_rank() * STORED_N, m, n);
}
