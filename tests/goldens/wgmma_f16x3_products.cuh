// wgmma_f16x3_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 32],
//         warpgroups = [2, 1],
//         mma     = m64n64k16,
//         precision = f16x3,
//         promote = 64,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_f16x3_products(
//         x: Mat<f32, M, K>,
//         gate: Mat<f32, N, K>,
//         up: Mat<f32, N, K>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(sums over K of x * gate and x * up), for any M, N and K.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of x, which runs along K, is 2^exponents_x[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 f16-14d17a46 bf16-3500fa9b f32-4eeb73e9 i32-10da165a
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = BLK_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 3, RASTER = 8;
constexpr int PROMOTED = 2;  // k-tiles whose products the tensor cores sum
constexpr int PROMOTED_SUMS = SUMS;  // at a time
constexpr int SHARED_BYTES = 73776;
//| assertions-80f8170a

//| PRODUCTS-2b5906bf
static_assert(PART_N * PRODUCTS == GROUP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-008c7e7f box-016ed81f LEADING-e5009d8c

// B, the operands `gate`, `up`, in shared memory.
struct TileB : BoxTile<f16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c
//> PartOfB-ba4cd795 Out-64070ef1 Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-8152affd
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> global_to_shared-8427dc43 instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-5a0a2f83 warpgroup_reg_dealloc-c73d0c50
//> k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b Steps-6253ec8b steps_of-428ba267 clear-39daced7 Unpromoted-e3790c7c
//> multiply-82ba547b multiply-2e35231e promote-43c14859 release-481bfcfd wait_for_products-9216f7e8
//> multiply_all-016e7d8d mainloop-28c36f25 unscale-47781784 times_sigmoid-4976448b silu-fc8bbe93
//> body-57c24ece Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3 Elements-4e1a4dc1
//> Same-cb01456c
//| VectorSame-060903a6 read-634d64a4

//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorSame<i32, int> exponents_x;
    VectorRun<i32, int> exponents_gate;
    VectorRun<i32, int> exponents_up;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int rows, int cols)
            const {
        const auto at_exponents_x = exponents_x.read<COUNT>(row, col, rows, cols);
        const auto at_exponents_gate = exponents_gate.read<COUNT>(row, col, rows, cols);
        const auto at_exponents_up = exponents_up.read<COUNT>(row, col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(
                sums[0][i],
                sums[1][i],
                at_exponents_x[i],
                at_exponents_gate[i],
                at_exponents_up[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-73cb70d9
//> EpilogueTile-c6c88b57 stage-6b98c9a0 take_sums-ed80663e
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_f16x3_products_7fa9d7858ae0c0f7(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const int* exponents_x,
    const __grid_constant__ TensorMap gate,
    const int* exponents_gate,
    const __grid_constant__ TensorMap up,
    const int* exponents_up,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(gate);
        prefetch_map(up);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&gate, &up}};
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, x, factors_of_b, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {exponents_x, exponents_gate, exponents_up};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.m + warpgroup.m, (block.n + warpgroup.n) /
        PRODUCTS, m, n);
}
