// wgmma_gelu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [192, 96, 64],
//         warpgroups = [3, 1],
//         mma     = m64n96k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_gelu(
//         a: Mat<bf16, M, K>,
//         b: Mat<bf16, N, K>,
//         bias: Vector<bf16, N>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 192, BLK_N = 96, BLK_K = 64;
constexpr int GROUPS_M = 3, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 96, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 48;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 110640;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-e41f5ecb box-016ed81f LEADING-e5009d8c

//| TileB-3027c7ab box-7bdd4d5e LEADING-e5009d8c

// The output: N rows of M elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 3 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 36864, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 12, "arrivals");
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-2fe98464 warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25 gelu-9a579903 body-61e5f939 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-634d64a4

//| Values-941ffb5b apply-e1fc4b10

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-e9b9efd2 stage-9a226b5a
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_gelu_0a843f8b37380d33(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const bf16* bias,
    bf16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<32>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, a, b, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<160>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, map_out, block.n + warpgroup.n, block.m +
        warpgroup.m, n, m);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
