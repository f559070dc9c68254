// converted_wgmma_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 48, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n48k16,
//         copy    = tma,
//         swizzle(a = [2, 4, 3], b = [3, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn converted_wgmma_pingpong(w: Mat<i8, M, K>, x: Mat<bf16, N, K>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of w * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c bf16-3500fa9b f32-4eeb73e9 i8-b75b6f90
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 48, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 48, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 24;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 4;  // whose factors are converted at a time
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 90176;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<i8, BLK_M, BLK_K, Swizzle<2, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f NUMBERS-4392f258

//| TileB-d7259cfa box-7bdd4d5e LEADING-e5009d8c
//> Out-6f19d300 Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 14336, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x48) = a(64x16) * b(16x48), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[24], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %29, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n48k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23"
        "}, {%24, %25, %26, %27}, %28, add, 1, 1, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-630c3fbf copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-25aa7239 fma_bf16x2-64d01993
//> take_pairs-3a91f82d to_factor-3bd756d2 ScalesA-8c7d6c43 scaled-a3f14ce3 FactorsA-3d147b4d
//> convert-72c45e78 PARTS-ad24c379 multiply-86f7b157 multiply_tile-b7f2b648 multiply_all-80a918c8
//> wait_for_products-ea9687cb clear-39daced7 skip-95064da4 mainloop-3d723656 body-de9848cb
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-e9b9efd2
//> stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_wgmma_pingpong_a0a1c788ed5d0f44(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap x,
    f32* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(w);
        prefetch_map(x);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), w, x, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, w, x, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        ordered_barrier_arrive(0);
        tiles.advance(), skip(state, k_tiles(k));
    }
    while (tiles.next(block)) {
        ordered_barrier_wait(group);
        ScalesA scales_a;
        mainloop(acc, ring, state, warpgroup, scales_a, k, tiles.has_next() ? 1 - group : -1);
        warpgroup_sync();  // the epilogue tiles have been read
        epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m,
            n, m);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
