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
// out0(M, N), out1(M, N), out2(M, N) = body(sum over K of x * q), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_out0
#define ALIGN_out0 16
#endif
#ifndef ALIGN_out1
#define ALIGN_out1 16
#endif
#ifndef ALIGN_out2
#define ALIGN_out2 16
#endif
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
//> Sum-a746b97b TensorMap-4eb42d3a Box-9697fac4 MapsOfB-544f4fc3
//| TileA-e20324f5 box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-18beab58 box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> PartOfB-ba4cd795
// The outputs: M rows of N elements each. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in slabs of its own that it fills in turn.
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
constexpr int SLAB_ROWS = 64, SLAB_COLS = 32, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 1, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

//| Stage-94113b4c assertions-7b6b61fd
//> raster-774b3866 warps-72c7d2da CONSUMERS-df590274 group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-4beab874 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-bc9f5863 fewer_registers-7e5aec41
//> tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-31c3c1e1 body-1d022efa Word-b35982a9 load-a04a88c6 store-eb4381ca
//| Values-b912801f apply-9455f0d2

// What the results of the body are stored to.
struct Outputs {
    bf16* out0;
    long long ld_out0;
    bf16* out1;
    long long ld_out1;
    f32* out2;
    long long ld_out2;
//| store-c30cfb66
//> in_slab-5a573d87
// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void stage(Staged* slab, const Accumulators& acc, int pass) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;  // the last pass of an atom has fewer
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            pair[0] = sums[j], pair[1] = sums[j + 1];
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
#pragma unroll
            for (int product = 1; product < PRODUCTS; ++product) {
                const Sum* const others = sums + product * PART_SUMS;
                pair[0] = others[j], pair[1] = others[j + 1];
                *reinterpret_cast<Words*>(slab + in_slab(row, product * PASS_BANDS * 8 + col)) =
                    *reinterpret_cast<const Words*>(pair);
            }
        }
    }
}

// OUT_VECTOR elements of a row that a thread stores: their place in a slab and in the output, and
// how many of them lie inside it.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = PASS_BANDS * 8 / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = row0 + slab_row, col = col0 + slab_col;
    const bool inside = slab_row < SLAB_ROWS && row < rows && col < cols;
    return Chunk{in_slab(slab_row, slab_col), row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}

// Loads the sums of each product for the elements of a chunk.
__device__ __forceinline__ void load_sums(
    Sum (&sums)[PRODUCTS][OUT_VECTOR], const Staged* slab, int number) {
    constexpr int CHUNKS_PER_ROW = PASS_BANDS * 8 / OUT_VECTOR;
    const int row = number / CHUNKS_PER_ROW, col = number % CHUNKS_PER_ROW * OUT_VECTOR;
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
        load<16>(sums[product], slab + in_slab(row, product * PASS_BANDS * 8 + col), OUT_VECTOR);
    }
}

// Stores body(acc) to the warpgroup's part of each output, in PASSES passes.
// Each is staged in a slab, as sums, so that each thread then stores OUT_VECTOR elements of one
// row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS;
    constexpr int CHUNKS = SLAB_ROWS * PASS_BANDS * 8 / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    consumers_sync();  // the ring has been read
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
        Staged* const slab = slabs + pass % SLABS * SLAB;
        stage(slab, acc, pass);
        group_sync();  // which also says that the slab before has been read
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
            Sum sums[PRODUCTS][OUT_VECTOR];
            load_sums(sums, slab, chunk);
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            outputs.store(results, row, col, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_projections_10275a6596683982(
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
        initialise(ring);
    }
    const MapsOfB factors_of_b = {{&q, &k_, &v}};
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, x, factors_of_b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            produce(ring, place, block, x, factors_of_b, 0, k, started);
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    mainloop(acc, ring, place, warp, k);
    const Values values = {};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2};
    epilogue(acc, shared.staged, values, outputs, block.m + warp.m, (block.n + warp.n) / PRODUCTS,
        m, n);
}
