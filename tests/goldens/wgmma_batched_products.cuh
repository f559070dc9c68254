// wgmma_batched_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warpgroups = [1, 1],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_batched_products(
//         x: Batched<f16, B, M, K>,
//         p: Mat<f16, N, K>,
//         q: Mat<f16, N, K>,
//     ) -> Batched<f32, B, M, N>
//
// out(B, M, N) = body(sums over K of x * p and x * q), for any B, M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-0a49233d f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 98368;
//| assertions-a4b11103

//| PRODUCTS-2b5906bf
static_assert(PART_N * PRODUCTS == GROUP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-d832b4f6 TensorMap-d3462307 Box-635e1a60 MapsOfB-544f4fc3
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-008c7e7f box-3d1bf9e6 LEADING-e5009d8c

// B, the operands `p`, `q`, in shared memory.
struct TileB : BoxTile<f16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c
//> PartOfB-ba4cd795
// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores
constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 32;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 2, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 1 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> TileIndex-8baeca33 raster-d5c0e186 warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe copy_box-2caac2fa global_to_shared-cabdcfca
//> global_to_shared-8427dc43 instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-e68ba2a2 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25
__device__ __forceinline__ float body(const float acc, const float acc1) {
    return acc * acc1;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-d0dea62d

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e2e29ade await_reads-5524745e in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0 take_sums-ed80663e
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-44a80a8d
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_batched_products_fc02e4eb8ea67234(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap p,
    const __grid_constant__ TensorMap q,
    f32* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(p);
        prefetch_map(q);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&p, &q}};
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    out += block.batch * stride_out;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, x, factors_of_b, 0, k, started);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, map_out, block.batch, block.m + warpgroup.m,
        (block.n + warpgroup.n) / PRODUCTS, m, n);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
