// wgmma_in_turn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warpgroups = [2, 1],
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_in_turn(
//         x: Mat<bf16, M, K>,
//         q: Mat<bf16, N, K>,
//         k: Mat<bf16, N1, K>,
//         v: Mat<bf16, N1, K>,
//         bias_q: Vector<bf16, N>,
//         bias_k: Vector<bf16, N1>,
//         bias_v: Vector<bf16, N1>,
//     ) -> (Mat<bf16, M, N>, Mat<bf16, M, N1>, Mat<bf16, M, N1>)
//
// out0(M, N), out1(M, N1), out2(M, N1) = body(sums over K of x * q, x * k and x * v), for any M, N,
//     N1 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out0-cb23bdc6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 98368;
//| assertions-a4b11103

constexpr int SEGMENTS = 3;  // products with columns of their own
//> Sum-fbcb2599 TensorMap-4eb42d3a Box-9697fac4 MapsOfB-8b391299
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f LEADING-e5009d8c

// B, one of `q`, `k`, `v`, in shared memory.
struct TileB : BoxTile<bf16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c
//> Out-f69403d2 Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-8152affd
//> TileIndex-8baeca33 raster-2aaf554e
//| Segments-c73a4cea columns-e8c09564 place-f1922171
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca global_to_shared-17d1b82d instruction_offset-e923d25e
//> descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
//> wgmma-927cd42f warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25 body-0d6b3014 Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorRun<bf16, float> bias_q;
//| apply-6c6f6573

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_in_turn_c4acff2071e767ed(
    int m, int n, int k, int n1,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const __grid_constant__ TensorMap v,
    const bf16* bias_q,
    const bf16* bias_k,
    const bf16* bias_v,
    bf16* out0, long long ld_out0,
    const __grid_constant__ TensorMap map_out0,
    bf16* out1, long long ld_out1,
    const __grid_constant__ TensorMap map_out1,
    bf16* out2, long long ld_out2,
    const __grid_constant__ TensorMap map_out2) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(q);
        prefetch_map(k_);
        prefetch_map(v);
        prefetch_map(map_out0);
        prefetch_map(map_out1);
        prefetch_map(map_out2);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&q, &k_, &v}};
    const Segments segments = {{n, n1, n1}};
    const Block block = segments.place(raster(m, segments.columns(), int(blockIdx.x)));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<40>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, x, factors_of_b, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<232>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {of_segment(block.segment, bias_q, bias_k, bias_v)};
    const Outputs outputs = {of_segment(block.segment, out0, out1, out2),
        of_segment(block.segment, ld_out0, ld_out1, ld_out2)};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs,
        *of_segment(block.segment, &map_out0, &map_out1, &map_out2), block.m + warpgroup.m, block.n
        + warpgroup.n, m, of_segment(block.segment, n, n1, n1));
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
