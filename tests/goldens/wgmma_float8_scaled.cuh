// wgmma_float8_scaled, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 128],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n128k32,
//         promote = 128,
//         copy    = tma,
//         swizzle = [3, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_float8_scaled(
//         a: Mat<e5m2, M, K>,
//         b: Mat<e4m3, N, K>,
//         bias: Vector<bf16, N>,
//         scale_a: f32,
//         scale_b: f32,
//         scale_out: f32,
//     ) -> Mat<e4m3, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-7e45848c bf16-3500fa9b f32-4eeb73e9 e4m3-df49a261 e5m2-14bbb1cc
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 128;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 32;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int PROMOTED = 1;  // k-tiles whose products the tensor cores sum
constexpr int PROMOTED_SUMS = SUMS;  // at a time
constexpr int SHARED_BYTES = 106544;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
// A, the operand `a`, in shared memory.
struct TileA : BoxTile<e5m2, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-016ed81f LEADING-e5009d8c

//| TileB-b497c250 box-7bdd4d5e LEADING-e5009d8c

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef e4m3 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 128;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 4, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 16, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x128) = a(64x32) * b(32x128), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[64], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %66, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n128k32.f32.e5m2.e4m3 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, add, 1, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),
          "+f"(d[62]), "+f"(d[63])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b clear-39daced7 Unpromoted-e3790c7c multiply-be86e2d8 multiply-2e35231e
//> promote-43c14859 release-481bfcfd wait_for_products-9216f7e8 multiply_all-016e7d8d skip-95064da4
//> mainloop-82db7f9f relu-5d722858 body-58bbf51d Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

// What the body reads beside the accumulator.
struct Values {
    VectorRun<bf16, float> bias;
    float scale_a;
    float scale_b;
    float scale_out;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int rows, int cols)
            const {
        const auto at_bias = bias.read<COUNT>(row, col, rows, cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], scale_a, scale_b, scale_out);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0
//> take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_float8_scaled_711c477d6d346546(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const bf16* bias,
    float scale_a,
    float scale_b,
    float scale_out,
    e4m3* out, long long ld_out,
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
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, a, b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {bias, scale_a, scale_b, scale_out};
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
        mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);
        epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
            warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
