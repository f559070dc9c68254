// wgmma_norms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 64],
//         warpgroups = [2, 1],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_norms(
//         x: Mat<bf16, M, K>,
//         w: Mat<bf16, N, K>,
//     ) -> (Mat<bf16, M, N>, Vector<f32, M>, Vector<f32, N>)
//
// out0(M, N), out1(M), out2(N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out0-cb23bdc6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 131136;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f LEADING-e5009d8c

//| TileB-ece13cca box-7bdd4d5e LEADING-e5009d8c

// The outputs: M rows of N elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in epilogue tiles of its own.
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = 8;  // elements of a row that a thread has
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Sum Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 32;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<2, 3, 2> EpilogueSwizzle;
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-2e5d324d
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1 wgmma-c0f29c0b warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25
__device__ __forceinline__ Result body(const float acc) {
    const float h = acc;
    return Result{h, h * h, h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-c4830f86 store-74deb253

//| Outputs-04c54c61 store-b0664299
//> in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-c6c88b57 stage-6b98c9a0
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
    static constexpr int LINES = 64, ACROSS = 128;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out1;  // its sum
//| partials_of-37ee2092 identity-9bfb41b1 element-9d33ecbd combined-44e8dbe8
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out1[line], value);
    }
};


// What each column of the output is reduced to.
struct ColumnReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 128, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out2;  // its max
//| partials_of-e7eb10d6
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        return -__int_as_float(0x7f800000);
    }
//| element-c6293344 combined-9a598fe3
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out2[line], value);
    }
};

// What a pass of the warpgroup has staged: ROWS x COLS elements of the output, whose part that the
// warpgroup stores begins at (row0, col0).
struct StagedTile {
    static constexpr int ROWS = EPILOGUE_ROWS, COLS = ROW_CHUNKS * OUT_VECTOR, THREADS = 128;
    static constexpr int BYTES = EPILOGUE_TILE * int(sizeof(Staged));
    static constexpr int ROW_PASSES = ATOM_PASSES;  // that have the same rows
    Staged* staged;
    int pass, row0, col0, rows, cols;
    __device__ __forceinline__ static int thread() { return threadIdx.x % 128; }
    __device__ __forceinline__ static void sync() { warpgroup_sync(); }
//| tile-e4c70f4a chunk-6d73816b row-412ff9c0 valid-652c349b at-51721ec9 load-3936f701
    // Which partial values those of this pass are: of its rows, and of its columns.
    __device__ __forceinline__ int part_of_rows() const { return col0 / STORED_N; }
    __device__ __forceinline__ int part_of_columns() const { return tile().row / MMA_M; }
};

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e

//| Columns-d9b162bd start-6ee6b977 take-86a1898c reduce-ae9f6002
//> count_in-590de4b0 finish-92cb80d2
//| Reductions-58613a52 start-8395c9ae take-efa0dc0b reduce-e96a1c0c finish-cdd76ad2
//> apply_and_reduce-9217c08e epilogue-1f736393
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_norms_4286ff18b6ec2706(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    bf16* out0, long long ld_out0,
    f32* out1,
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
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, w, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, x, w, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {};
    const Outputs outputs = {out0, ld_out0};
    const RowReductions of_rows = {RowReductions::partials_of(partials_m, arrivals_m, 0, m, n),
        out1};
    const ColumnReductions of_columns =
        {ColumnReductions::partials_of(partials_n, arrivals_n, 0, n, m), out2};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, {{of_rows}, {of_columns}}, block.m + warpgroup.m,
        block.n + warpgroup.n, m, n);
}
