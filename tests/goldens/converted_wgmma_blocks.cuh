// converted_wgmma_blocks, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n32k16,
//         copy    = tma,
//         swizzle(a = [1, 4, 3], b = [3, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn converted_wgmma_blocks(
//         w: Mat<i4x2, M, K>,
//         s: Tiled<f32, M, K, 1, 32>,
//         x: Mat<f16, N, K>,
//     ) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of (w * s) * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c f16-14d17a46 f32-4eeb73e9 i4x2-481bf8d6
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 32, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 16;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 4;  // whose factors are converted at a time
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 61504;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<i4x2, BLK_M, BLK_K / 2, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-df35442a NUMBERS-2b1cc56c

//| TileB-4ee4420a box-7bdd4d5e LEADING-e5009d8c

constexpr int SCALES_END = TileA::BYTES + TileB::BYTES + 1024;  // of a stage's bytes
//> Out-6f19d300 Stage-6d92967c Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 6144, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x32) = a(64x16) * b(16x32), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[16], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %21, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
        "}, {%16, %17, %18, %19}, %20, add, 1, 1, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-630c3fbf copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-25aa7239 sub_f16x2-af095d53
// a * b + c for each of two f16, rounded once. (PTX ISA, fma)
__device__ __forceinline__ unsigned fma_f16x2(unsigned a, unsigned b, unsigned c) {
    unsigned sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
//> take_pairs-fe96df99
// A pair of 4 bits each as two f16. 0x6400 is 1024, whose last bit is worth 1: with x + 8 for its
// low 4 bits it is 1032 + x.
__device__ __forceinline__ unsigned to_factor(unsigned pair) {
    return sub_f16x2(pair ^ 0x64086408, 0x64086408);
}

//| ScaledLinesA-c3bade17 line-358d7a3d

//| LineScales-a139314c value-acb5444b
//> cp_async_ca-f0f8d2e0 cp_async_commit-1f928025 cp_async_wait-b9f72531
//| CopiedScales-ab2c2142 CopiedScales-0b1338ce load-9a9eabbf

//| Ahead-62b8a7e2 Ahead-8274f552 copy_ahead-7eba8d26 load_copied-960e058c advance-c0ed7148

typedef Ahead<CopiedScales<ScaledLinesA>> ScalesA;

// Pairs of factors: two f16.
constexpr unsigned ONES = 0x3c003c00, MINUS_ZEROS = 0x80008000;
__device__ __forceinline__ unsigned fma_pair(unsigned a, unsigned b, unsigned c) {
    return fma_f16x2(a, b, c);
}
// A value rounded to a factor, for each of a pair. (PTX ISA, cvt)
__device__ __forceinline__ unsigned pair_of(float value) {
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(pair) : "f"(value));
    return pair;
}

// A pair of factors times their scale, rounded. The sum with -0 is the product.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    return fma_pair(pair, pair_of(scales.value(line, step)), MINUS_ZEROS);
}
//> FactorsA-3d147b4d convert-72c45e78 PARTS-ad24c379 multiply-86f7b157 multiply_tile-b7f2b648
//> multiply_all-80a918c8 wait_for_products-ea9687cb clear-39daced7 skip-95064da4 mainloop-3d723656
//> body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-e9b9efd2
//> stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_wgmma_blocks_c813c9edd9681703(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const f32* s, long long ld_s,
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
        ScalesA scales_a({s, ld_s, block.m + warpgroup.m, m}, ring, state.stage, 0, 0 + k);
        mainloop(acc, ring, state, warpgroup, scales_a, k, tiles.has_next() ? 1 - group : -1);
        warpgroup_sync();  // the epilogue tiles have been read
        epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m,
            n, m);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
