// wgmma_f16x3_km_kn_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 64],
//         warpgroups = [1, 1],
//         mma     = m64n96k16,
//         precision = f16x3,
//         promote = never,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_f16x3_km_kn_nm(
//         a: Mat<f32, K, M>,
//         b: Mat<f32, K, N>,
//         bias: Vector<f32, N>,
//     ) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of a, which runs along K, is 2^exponents_a[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f16-14d17a46 f32-4eeb73e9 i32-10da165a
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 128;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 96, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 48;  // of a lane, for one atom
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = BLK_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 122928;
//| assertions-80f8170a
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-51acaee2 box-016ed81f LEADING-e5009d8c

//| TileB-7ad32845 box-7bdd4d5e LEADING-e5009d8c
//> Out-84d99cbf Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 40960, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-54af652c
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-a6b15983 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b Steps-6253ec8b steps_of-428ba267
// Issues the products of a k-tile, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Accumulators& acc, Ring ring, RingState state, Warpgroup warpgroup) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
        const Steps steps = steps_of(step);
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            const int row = warpgroup.m + i * MMA_M, a_k = steps.a * MMA_K, b_k = steps.b * MMA_K;
            const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, a_k));
            const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, b_k));
            if (FIRST && step == 0) wgmma<false>(acc[i], a, b);
            else wgmma<true>(acc[i], a, b);
        }
    }
    wgmma_commit();
}
//> multiply_all-e4e0dee6 wait_for_products-ea9687cb clear-39daced7 mainloop-28c36f25
//> unscale-47781784 relu-5d722858
__device__ __forceinline__ float body(
        const float acc,
        const float bias,
        const int exponents_a,
        const int exponents_b) {
    return relu(unscale(acc, exponents_a, exponents_b) + bias);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1 Same-cb01456c
//| VectorSame-060903a6 read-634d64a4

//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorSame<f32, float> bias;
    VectorRun<i32, int> exponents_a;
    VectorSame<i32, int> exponents_b;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int rows, int cols)
            const {
        const auto at_bias = bias.read<COUNT>(row, col, rows, cols);
        const auto at_exponents_a = exponents_a.read<COUNT>(row, col, rows, cols);
        const auto at_exponents_b = exponents_b.read<COUNT>(row, col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], at_exponents_a[i], at_exponents_b[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-e9b9efd2
//> stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_f16x3_km_kn_nm_17335b430597396f(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const int* exponents_a,
    const __grid_constant__ TensorMap b,
    const int* exponents_b,
    const f32* bias,
    f32* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, a, b, 0, k, started);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {bias, exponents_a, exponents_b};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m, n,
        m);
}
