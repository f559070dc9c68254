// wgmma_projections, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 192, 64],
//         warpgroups = [2, 1],
//         mma     = m64n192k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_projections(
//         x: Mat<bf16, M, K>,
//         q: Mat<bf16, N, K>,
//         k: Mat<bf16, N, K>,
//         v: Mat<bf16, N, K>,
//     ) -> (Mat<bf16, M, N>, Mat<bf16, M, N>, Mat<f32, M, N>)
//
// out0(M, N), out1(M, N), out2(M, N) = body(sums over K of x * q, x * k and x * v), for any M, N
//     and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_out0 = 16;
constexpr int ALIGN_out1 = 16;
constexpr int ALIGN_out2 = 16;
//> bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 192, BLK_K = 64;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 192, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 96;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 163904;
//| assertions-a4b11103

// BLK_N has the columns of all products: PART_N of each in turn.
constexpr int PRODUCTS = 3, PART_N = GROUP_N / PRODUCTS;
static_assert(PART_N * PRODUCTS == GROUP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-3495f547 box-016ed81f LEADING-e5009d8c

// B, the operands `q`, `k`, `v`, in shared memory.
struct TileB : BoxTile<bf16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef MapsOfB Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e LEADING-e5009d8c
//> PartOfB-ba4cd795
// The outputs: M rows of N elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in epilogue tiles of its own.
struct Result { float out0; float out1; float out2; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(bf16));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(bf16));
constexpr int OUT2_VECTOR = ALIGN_out2 / int(sizeof(f32));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, fewer(OUT1_VECTOR, OUT2_VECTOR));
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int STORED_N = MMA_N / PRODUCTS;  // columns of an atom that a block stores
constexpr int PART_SUMS = SUMS / PRODUCTS;  // of a lane, for one atom and product
typedef Sum Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 32;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<2, 3, 2> EpilogueSwizzle;
constexpr int PASS_BANDS = 1, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = PASS_BANDS * 8 / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-0b883da0
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-cabdcfca
//> global_to_shared-8427dc43 instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-bc9f5863 warpgroup_reg_dealloc-c73d0c50
//> k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 mainloop-28c36f25
__device__ __forceinline__ Result body(const float acc, const float acc1, const float acc2) {
    return Result{acc, acc1, acc2};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[0][i], sums[1][i], sums[2][i]);
        }
    }
};

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<bf16, float, ALIGN_out0> out0;
    Output<bf16, float, ALIGN_out1> out1;
    Output<f32, float, ALIGN_out2> out2;
//| store-07cb1c39
//> in_epilogue_tile-8d677ec9 first_band-73cb70d9 EpilogueTile-c6c88b57
// Stages the sums of each product in PASS_BANDS bands of 8 columns of an atom, the products next to
// each other: a warp holds 16 rows of it, a lane two neighbours along n of rows lane / 4 and
// lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void stage_sums(Staged* staged, const Accumulators& acc, int pass) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = warp * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
#pragma unroll
            for (int product = 0; product < PRODUCTS; ++product) {
                const Sum* const of_product = sums + product * PART_SUMS + j;
                const __align__(16) Staged pair[2] = {of_product[0], of_product[1]};
                const int to = in_epilogue_tile(row, product * PASS_BANDS * 8 + col);
                *reinterpret_cast<Words*>(staged + to) = *reinterpret_cast<const Words*>(pair);
            }
        }
    }
}

// OUT_VECTOR elements of a row that a thread stores: their place in the part of an epilogue tile
// that each product has and in the output, and how many of them lie inside it.
struct Chunk { int staged_row, staged_col, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, EpilogueTile tile) {
    const int staged_row = number / ROW_CHUNKS, staged_col = number % ROW_CHUNKS * OUT_VECTOR;
    const int row = tile.row + staged_row, col = tile.col + staged_col;
    const bool inside = staged_row < EPILOGUE_ROWS && row < tile.rows && col < tile.cols;
    return Chunk{staged_row, staged_col, row, col, inside ? min(OUT_VECTOR, tile.cols - col) : 0};
}

// Loads the sums of a chunk, those of each product.
__device__ __forceinline__ void load_sums(
    Sums<OUT_VECTOR>& sums, const Staged* staged, const Chunk& chunk) {
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        const int col = product * PASS_BANDS * 8 + chunk.staged_col;
        load<16>(sums[product], staged + in_epilogue_tile(chunk.staged_row, col), OUT_VECTOR);
    }
}

// Stores body(acc) to the warpgroup's part of each output, in PASSES passes. Each stages sums in an
// epilogue tile, so that each thread then stores OUT_VECTOR elements of one row. Rows and columns
// are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    int row0, int col0, int rows, int cols) {
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        stage_sums(of_pass, acc, pass);
        warpgroup_sync();  // which also says that the tile before has been read
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            Sums<OUT_VECTOR> sums;
            load_sums(sums, of_pass, chunk);
            Result results[OUT_VECTOR];
            values.apply(results, sums, chunk.row, chunk.col, chunk.valid);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
}

// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_projections_8a2a039cd3960194(
    int m, int n, int k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const __grid_constant__ TensorMap v,
    bf16* out0, long long ld_out0,
    bf16* out1, long long ld_out1,
    f32* out2, long long ld_out2) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(q);
        prefetch_map(k_);
        prefetch_map(v);
        init_barriers(ring);
    }
    const MapsOfB factors_of_b = {{&q, &k_, &v}};
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, x, factors_of_b, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    mainloop(acc, ring, state, warpgroup, k);
    const Values values = {};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.m + warpgroup.m, (block.n + warpgroup.n) /
        PRODUCTS, m, n);
}
