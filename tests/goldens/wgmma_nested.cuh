// wgmma_nested, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warpgroups = [1, 1],
//         schedule = cooperative,
//         cluster = [2, 1],
//         mma     = m64n64k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_nested(
//         q: Batched<bf16, (Outer, Heads), M, K>,
//         keys: Batched<bf16, Outer, N, K>,
//         bias: Batched<bf16, Outer, N>,
//     ) -> Batched<bf16, (Outer, Heads), M, N>
//
// out(Outer, Heads, M, N) = body(sum over K of q * keys), for any Outer, Heads, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-ac751308 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 65584;
//| assertions-a4b11103

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
struct Matrix { int i0, i1; };  // of a batch, by the values of its indices
struct Counts {  // values of all indices but the outermost
    int i1;
    __device__ __forceinline__ Matrix matrix(int number) const {
        return {number / i1, number % i1};
    }
};
struct Block { Matrix batch; int m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n; };  // first row and column of the tile of a warp's group in the block's
//> TensorMap-d3462307 BatchBox-a3f2b826
//| TileA-e20324f5 box-3d1bf9e6 SHARERS-bcf5d6ab
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-4835997b box-0f6d50f8 SHARERS-bdd91df1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");
//> Out-8a7c5d92
//| Stage-6bc42997 assertions-68c5eceb
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 raster-85142b9a
//| Tiles-0df2a0eb Tiles-47ccdb17
//> warps-72c7d2da CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-f7235e70 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42
// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5}], [%6];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix.i1),
                    "r"(box.matrix.i0), "r"(barrier) : "memory");
}

// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3, %4, %5}], [%6], %7;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix.i1),
                    "r"(box.matrix.i0), "r"(barrier), "h"(blocks) : "memory");
}
//> part_of-9a205dbf sharers-7030810a global_to_shared-aa4ccfe2 descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-c1321784 Ring-4c31a3eb
//> place_after-d40d0eaa initialise-265176ba expect-d3e4bf12 reserve-36dbc259 copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 drain-bdc98a25 pin-e172eba5 forget-7085c2da multiply-977b9126
//> leave-4446b9a0 mainloop-e5b0b3ee relu-5d722858 body-44d0bef3 Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-69b15af8 apply-66c80ebd
//> fetch-47ed8540 fence_to_copies-b0d621c1
// Issues the store of a slab to the part of the output from (row, col) on; what lies outside is
// left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* slab, Matrix matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(slab));
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2, %3, %4}], [%5];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix.i1), "r"(matrix.i0), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
//> await_reads-63a34c34 in_slab-f6c49cfa from_value-23dfb28d finish-a17474ac first_band-62720a9a
//> stage-7f56984f Chunk-947eec42
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, const TensorMap& map, Matrix matrix,
    int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
        Staged* const slab = slabs + pass % SLABS * SLAB;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) group_sync();  // the slab has been read
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
        if (boxes) fence_to_copies();
        group_sync();  // which also says that the slab before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, slab, matrix, first_row, first_col);
            continue;
        }
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, slab + from, OUT_VECTOR);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_nested_256787ed14a0a6b5(
    int m, int n, int k,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap keys,
    const bf16* bias, long long stride_0_bias, long long stride_1_bias,
    bf16* out, long long ld_out, long long stride_0_out, long long stride_1_out,
    const __grid_constant__ TensorMap map_out,
    int count_1,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(q);
        prefetch_map(keys);
        prefetch_map(map_out);
        initialise(ring);
    }
    Tiles tiles(m, n, {count_1}, matrices);
    Block block;
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), q, keys, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, q, keys, 0, k, started);
                started = 0;
            }
            drain(ring, place);
        }
        return;
    }
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        const Values values = {bias + block.batch.i0 * stride_0_bias + block.batch.i1 *
            stride_1_bias};
        epilogue(acc, shared.staged, values, out + block.batch.i0 * stride_0_out + block.batch.i1 *
            stride_1_out, ld_out, map_out, block.batch, block.m + warp.m, block.n + warp.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
