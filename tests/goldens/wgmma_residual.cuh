// wgmma_residual, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 256, 64],
//         warpgroups = [1, 2],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_residual(
//         a: Mat<f16, M, K>,
//         b: Mat<f16, K, N>,
//         residual: Mat<f16, M, N>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_residual-6f15da17 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 256, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 2;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 155760;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-51acaee2 box-016ed81f LEADING-e5009d8c

//| TileB-8a156877 box-727e74ad LEADING-b5b914e7
//> Out-b3de58ed Stage-80d34ffb Barriers-db51eeef EpilogueBarriers-92705032
//| Shared-f7c6dc81
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-0b883da0
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581 prefetch_map-1cb18679
//> fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-54af652c
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-bbb126f0 warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25 relu-5d722858
__device__ __forceinline__ float body(const float acc, const float residual) {
    return relu(acc) + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3
//> in_tile-b3e81b6b fill_tile-212dc4e2
// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f16, ALIGN_residual> residual;
//| fill-ed1e705e
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in epilogue tiles, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Staged* at, int row, int col,
            int rows, int cols) const {
        const auto at_residual = in_tile<f16, float, COUNT>(at);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_residual[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-57021fd8 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-563f7e31 operator-b04589cd
//> global_to_tile-d51bb2c6 are_copied-a314c75c
//| Maps-991980db bytes-c037436e load-601d1517

//| EpilogueRing-d60f8d28 EpilogueRing-2f31e564 loaded_barrier-cd6be725 written_barrier-0b0f7285
//> init_epilogue_barriers-37e6292b copied_group-2e6757bf load_stage-3b17df58
//> load_and_store-8a793149 Chunk-2f25dd70 fill-93bd6d85 shared_to_global-d5a04d84 epilogue-974cfb6a
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_residual_fd50b9e56c844151(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f16* residual, long long ld_residual,
    const __grid_constant__ TensorMap map_residual,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
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
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, a, b, 0, k, started);
        }
        const int copied = copied_group();
        if (copied >= 0 && are_copied(n)) {
            const EpilogueRing epilogue_ring(shared, copied);
            const Warpgroup warpgroup = warpgroup_of(copied);
            const Maps maps = {map_residual, map_out};
            EpilogueState state = {0, 1};  // nothing is there yet: each stage counts as stored
            load_and_store(epilogue_ring, state, maps, block.m + warpgroup.m, block.n +
                warpgroup.n);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);
    EpilogueState epilogue_state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {residual, ld_residual};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, epilogue_ring, epilogue_state, values, outputs, block.m + warpgroup.m, block.n +
        warpgroup.n, m, n);
}
