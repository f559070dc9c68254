// wgmma_norms_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 192, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n192k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_norms_nm(
//         x: Mat<f16, M, K>,
//         w: Mat<f16, N, K>,
//         bias: Vector<f32, N>,
//     ) -> (Vector<f32, M>, Mat<f16, N, M>, Vector<f32, N>)
//
// out0(M), out1(N, M), out2(N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out1-7eb7c573 f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 192, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 192, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 96;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 163904;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-008c7e7f box-016ed81f LEADING-e5009d8c

//| TileB-effc5dcc box-7bdd4d5e LEADING-e5009d8c

// The outputs: N rows of M elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in epilogue tiles of its own.
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = 8;  // elements of a row that a thread has
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Sum Staged;
constexpr int EPILOGUE_ROWS = 32, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 4> EpilogueSwizzle;
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-d8b0c965
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x192) = a(64x16) * b(16x192), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[96], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %98, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
        "%92, %93, %94, %95"
        "}, %96, %97, add, 1, 1, 0, 0;\n\t}"
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
          "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 skip-95064da4 mainloop-82db7f9f
__device__ __forceinline__ Result body(const float acc, const float bias) {
    const float h = acc + bias;
    return Result{h, h, h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| Values-0783cfbe apply-54b4d9ef

//| Output-c4830f86 store-74deb253

//| Outputs-02566b0a store-19bb2985
//> in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-e9b9efd2 stage-9a226b5a
//| PutSums-517d7291 operator-e24e5c06
//> Chunk-390e1dbd load_sums-289e2b4d
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 192, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out2;  // its sum
//| partials_of-e7eb10d6 identity-9bfb41b1 element-c6293344 combined-44e8dbe8
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out2[line], value);
    }
};


// What each column of the output is reduced to.
struct ColumnReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 192;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out0;  // its abs_max
    __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        return Partials<COUNT, LINES>::of<192, 6>(values, arrivals, matrix, lines, others);
    }
//| identity-9bfb41b1
    __device__ __forceinline__ static Reducible element(int number, const Result& result) {
        return fabsf(result.out0);
    }
//| combined-9a598fe3 store-77dc42ad

// What a pass of the warpgroup has staged: ROWS x COLS elements of the output, whose part that the
// warpgroup stores begins at (row0, col0).
struct StagedTile {
    static constexpr int ROWS = EPILOGUE_ROWS, COLS = ROW_CHUNKS * OUT_VECTOR, THREADS = 128;
    static constexpr int BYTES = EPILOGUE_TILE * int(sizeof(Staged));
    static constexpr int ROW_PASSES = 1;  // that have the same rows
    Staged* staged;
    int pass, row0, col0, rows, cols;
    __device__ __forceinline__ static int thread() { return threadIdx.x % 128; }
    __device__ __forceinline__ static void sync() { warpgroup_sync(); }
//| tile-e4c70f4a chunk-6d73816b row-412ff9c0 valid-652c349b at-51721ec9 load-3936f701
    // Which partial values those of this pass are: of its rows, and of its columns.
    __device__ __forceinline__ int part_of_rows() const { return tile().col / MMA_M; }
    __device__ __forceinline__ int part_of_columns() const {
        return row0 / STORED_N * ATOM_PASSES + pass % ATOM_PASSES;
    }
};

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e

//| Columns-d9b162bd start-6ee6b977 take-86a1898c reduce-ae9f6002
//> count_in-590de4b0 finish-92cb80d2
//| Reductions-58613a52 start-8395c9ae take-efa0dc0b reduce-e96a1c0c finish-cdd76ad2
//> apply_and_reduce-9217c08e epilogue-1f736393
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_norms_nm_5c6f55a22013d170(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const f32* bias,
    f32* out0,
    f16* out1, long long ld_out1,
    f32* out2,
    void* partials_m, unsigned* arrivals_m,
    void* partials_n, unsigned* arrivals_n) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), x, w, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, x, w, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {bias};
    const Outputs outputs = {out1, ld_out1};
    const RowReductions of_rows = {RowReductions::partials_of(partials_n, arrivals_n, 0, n, m),
        out2};
    const ColumnReductions of_columns =
        {ColumnReductions::partials_of(partials_m, arrivals_m, 0, m, n), out0};
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
        warpgroup_sync();  // the epilogue tiles have been read
        epilogue(acc, shared.staged, values, outputs, {{of_rows}, {of_columns}}, block.n +
            warpgroup.n, block.m + warpgroup.m, n, m);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
