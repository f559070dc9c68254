// converted_wgmma_pairs, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 256],
//         warpgroups = [1, 1],
//         mma     = m64n32k16,
//         copy    = tma,
//         swizzle(a = [3, 4, 3], b = [3, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn converted_wgmma_pairs(
//         w: Mat<i4x2, M, K>,
//         x: Mat<bf16, N, K>,
//         s: Vector<bf16, M>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of w * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c bf16-3500fa9b f32-4eeb73e9 i4x2-481bf8d6
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 256;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 32, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 16;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 8;  // whose factors are converted at a time
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 98368;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<i4x2, BLK_M, BLK_K / 2, Swizzle<3, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-df35442a NUMBERS-2b1cc56c

//| TileB-d7259cfa box-7bdd4d5e LEADING-e5009d8c

// The output: N rows of M elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 4> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 1 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-54af652c
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1
// d(64x32) = a(64x16) * b(16x32), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[16], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %21, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
        "}, {%16, %17, %18, %19}, %20, add, 1, 1, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-630c3fbf copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-25aa7239 fma_bf16x2-64d01993
//> take_pairs-fe96df99 to_factor-45bce962 ScalesA-8c7d6c43 scaled-a3f14ce3 FactorsA-3d147b4d
//> convert-72c45e78 PARTS-ad24c379 multiply-86f7b157 multiply_tile-b7f2b648 multiply_all-80a918c8
//> wait_for_products-ea9687cb clear-39daced7 mainloop-e9ec4c7c body-ec6bf5b1 Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorRun<bf16, float> s;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int rows, int cols)
            const {
        const auto at_s = s.read<COUNT>(row, col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_s[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-73cb70d9
//> EpilogueTile-e9b9efd2 stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_wgmma_pairs_a5021131e7e63f82(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap x,
    const bf16* s,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(w);
        prefetch_map(x);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, w, x, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, w, x, 0, k, started);
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    ScalesA scales_a;
    mainloop(acc, ring, state, warpgroup, scales_a, k);
    const Values values = {s};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m, n,
        m);
}
