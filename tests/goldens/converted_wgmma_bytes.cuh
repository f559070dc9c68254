// converted_wgmma_bytes, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warpgroups = [2, 1],
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle(a = [2, 4, 3], b = [3, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn converted_wgmma_bytes(w: Mat<u8, M, K>, x: Mat<f16, K, N>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of w * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c f16-14d17a46 f32-4eeb73e9 u8-be4ac2a5
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 4;  // whose factors are converted at a time
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65600;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<u8, BLK_M, BLK_K, Swizzle<2, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f NUMBERS-4392f258

// B, the operand `x`, in shared memory.
struct TileB : BoxTile<f16, BLK_K, BLK_N> {
    static constexpr bool K_CONTIGUOUS = false;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-727e74ad LEADING-b5b914e7
//> Out-181dd80e Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-05652d6b
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-54af652c
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1
// d(64x64) = a(64x16) * b(16x64), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[32], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %37, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-630c3fbf copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-25aa7239 sub_f16x2-af095d53
//> take_pairs-3a91f82d
// A pair of 8 bits each as two f16. 0x6400 is 1024, whose last bit is worth 1: with x for its low
// byte it is 1024 + x.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    return sub_f16x2(pair | 0x64006400, 0x64006400);
}
//> ScalesA-8c7d6c43 scaled-a3f14ce3 FactorsA-3d147b4d convert-72c45e78 PARTS-ad24c379
//> multiply-86f7b157 multiply_tile-b7f2b648 multiply_all-80a918c8 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-e9ec4c7c body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_wgmma_bytes_c46b211a182dba1e(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap x,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(w);
        prefetch_map(x);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, w, x, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, w, x, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    ScalesA scales_a;
    mainloop(acc, ring, state, warpgroup, scales_a, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
        warpgroup.n, m, n);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
