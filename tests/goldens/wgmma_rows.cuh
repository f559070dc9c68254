// wgmma_rows, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 176, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         cluster = [2, 1],
//         mma     = m64n176k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_rows(
//         x: Mat<bf16, M, K>,
//         w: Mat<bf16, N, K>,
//         bias: Vector<bf16, N>,
//     ) -> (Vector<f32, M>, Mat<bf16, M, N>, Vector<f32, M>)
//
// out0(M), out1(M, N), out2(M) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out1-7eb7c573 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 176, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 176, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 88;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 188480;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f SHARERS-59bc54a5

//| TileB-ece13cca box-7bdd4d5e SHARERS-5b96fec6

// The outputs: M rows of N elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = ALIGN_out1 / int(sizeof(Out));  // elements of one store
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
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb assertions-a8e79241
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-3f3c0c23
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42 copy_box-2c6e4cbe
//> multicast_box-8be5e044 part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749
//> copy_part-e41868b2 global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x176) = a(64x16) * b(16x176), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[88], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %90, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n176k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87"
        "}, %88, %89, add, 1, 1, 0, 0;\n\t}"
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
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),
          "+f"(d[86]), "+f"(d[87])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 mainloop-fe3ead94
__device__ __forceinline__ Result body(const float acc, const float bias) {
    const float h = acc + bias;
    return Result{h * h, h, h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

//| Values-471782ed apply-e1fc4b10

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out1> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d
//> in_epilogue_tile-8d677ec9 first_band-7bc79b08 EpilogueTile-c6c88b57
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 2;
    static constexpr int LINES = 16, ACROSS = 176;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out0;  // its sum
    f32* out2;  // its max
    __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        return Partials<COUNT, LINES>::of<176, 1>(values, arrivals, matrix, lines, others);
    }
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        if (number == 0) return 0.0f;
        return -__int_as_float(0x7f800000);
    }
    __device__ __forceinline__ static Reducible element(int number, const Result& result) {
        if (number == 0) return result.out0;
        return result.out2;
    }
//| combined-b257786d
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        if (number == 0) return from_value(out0[line], value);
        return from_value(out2[line], value);
    }
};

//| Rows-68dcfb3f start-0deba9c3 take-6bfe62de put-6d9362da
//> count_in-590de4b0 reduce_parts-1c887ef6 finish_rows-697706c4
typedef Rows<RowReductions> Reductions;

// The value that is stored.
__device__ __forceinline__ float stored(const Result& result) { return result.out1; }
//> stage-6b98c9a0 take_sums-89f68da2
//| PutResults-d3deec6b operator-e1ad2c2b
//> Chunk-390e1dbd epilogue-3f830780
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_rows_11723aae6fac63cf(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const bf16* bias,
    f32* out0,
    bf16* out1, long long ld_out1,
    const __grid_constant__ TensorMap map_out1,
    f32* out2,
    void* partials_m, unsigned* arrivals_m) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        prefetch_map(map_out1);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, w, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, w, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {bias};
    const Outputs outputs = {out1, ld_out1};
    const RowReductions of_rows = {RowReductions::partials_of(partials_m, arrivals_m, 0, m, n),
        out0, out2};
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        epilogue(acc, shared.staged, values, outputs, {of_rows}, map_out1, block.m + warpgroup.m,
            block.n + warpgroup.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
