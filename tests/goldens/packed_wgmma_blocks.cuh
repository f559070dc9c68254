// packed_wgmma_blocks, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 128],
//         warpgroups = [1, 2],
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle(a = [0, 0, 0], b = [3, 3, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn packed_wgmma_blocks(
//         w: Mat<u4x32, M, K>,
//         s: Tiled<f32, M, K, 1, 32>,
//         c: Tiled<f32, M, K, 1, 32>,
//         x: Mat<bf16, N, K>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of (w * s + c) * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9 u4x32-e8eddb30
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 128;
constexpr int GROUPS_M = 1, GROUPS_N = 2;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 8;  // whose factors are converted at a time
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 122928;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<u4x32, BLK_M / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = 2;  // of a load
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-f4e93e95
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 32, VECTOR_BYTES = 8;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

//| TileB-d7259cfa box-7bdd4d5e LEADING-e5009d8c

constexpr int SCALES_END = TileA::BYTES + TileB::BYTES + 4096;  // of a stage's bytes

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
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-6d92967c Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 36864, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
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
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, {%32, %33, %34, %35}, %36, add, 1, 1, 0;\n\t}"
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
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-6510e63e fma_bf16x2-64d01993
//> take_pairs-35c2c71f to_factor-f1a4fc3b
//| ScaledLinesA-c3bade17 line-358d7a3d

// The offsets of A, of the same tiles.
struct OffsetLinesA {
    typedef f32 Element;
    static constexpr int LINES = 1, K = 32, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
//| line-358d7a3d

//| LineScales-a139314c value-acb5444b
//> cp_async_ca-f0f8d2e0 cp_async_commit-1f928025 cp_async_wait-b9f72531
//| CopiedScales-ab2c2142 CopiedScales-0b1338ce load-9a9eabbf

// The scales of a lane's lines of a factor, and the offsets of the same tiles, which lie after
// them.
template <class OfScales, class OfOffsets>
struct CopiedWithOffsets {
    typedef CopiedScales<OfScales> Scales;
    typedef CopiedScales<OfOffsets> Offsets;
    static constexpr int BYTES = Scales::BYTES + Offsets::BYTES;

    Scales scales;
    Offsets offsets;

    __device__ __forceinline__ void copy(unsigned to, int k, int end) const {
        scales.copy(to, k, end);
        offsets.copy(to + Scales::BYTES, k, end);
    }
    __device__ __forceinline__ void load(unsigned from) {
        scales.load(from);
        offsets.load(from + Scales::BYTES);
    }

    __device__ __forceinline__ Sum value(int line, int step) const {
        return scales.value(line, step);
    }
    __device__ __forceinline__ Sum offset(int line, int step) const {
        return offsets.value(line, step);
    }
};

//| Ahead-62b8a7e2 Ahead-8274f552 copy_ahead-7eba8d26 load_copied-960e058c advance-c0ed7148

typedef Ahead<CopiedWithOffsets<ScaledLinesA, OffsetLinesA>> ScalesA;

// Pairs of factors: two bf16.
constexpr unsigned ONES = 0x3f803f80, MINUS_ZEROS = 0x80008000;
__device__ __forceinline__ unsigned fma_pair(unsigned a, unsigned b, unsigned c) {
    return fma_bf16x2(a, b, c);
}
// A value rounded to a factor, for each of a pair. (PTX ISA, cvt)
__device__ __forceinline__ unsigned pair_of(float value) {
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %1;" : "=r"(pair) : "f"(value));
    return pair;
}

// pair * scale + offset, rounded once.
__device__ __forceinline__ unsigned scaled(
    unsigned pair, const ScalesA& scales, int line, int step) {
    return fma_pair(pair, pair_of(scales.value(line, step)), pair_of(scales.offset(line, step)));
}
//> FactorsA-c6a20725 convert-be6d762d PARTS-ad24c379 multiply-86f7b157 multiply_tile-b7f2b648
//> multiply_all-80a918c8 wait_for_products-ea9687cb clear-39daced7 mainloop-e9ec4c7c body-de9848cb
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-e9b9efd2 stage-9a226b5a
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_wgmma_blocks_a9f645fed242031d(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const f32* s, long long ld_s,
    const f32* c, long long ld_c,
    const __grid_constant__ TensorMap x,
    bf16* out, long long ld_out,
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
    ScalesA
        scales_a({{s, ld_s, block.m + warpgroup.m, m}, {c, ld_c, block.m + warpgroup.m, m}}, ring,
        state.stage, 0, 0 + k);
    mainloop(acc, ring, state, warpgroup, scales_a, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, map_out, block.n + warpgroup.n, block.m +
        warpgroup.m, n, m);
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
