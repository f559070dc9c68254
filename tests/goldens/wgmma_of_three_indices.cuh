// wgmma_of_three_indices, written by gemm-codegen from
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
//     fn wgmma_of_three_indices(
//         q: Batched<bf16, (Batch, Groups, Heads), M, K>,
//         keys: Batched<bf16, (Batch, Groups), N, K>,
//         residual: Batched<bf16, (Batch, Heads), M, N>,
//     ) -> Batched<bf16, (Batch, Groups, Heads), M, N>
//
// out(Batch, Groups, Heads, M, N) = body(sum over K of q * keys), for any Batch, Groups, Heads, M,
//     N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_residual-63a94f67 bf16-3500fa9b f32-4eeb73e9
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
constexpr int SHARED_BYTES = 65616;
//| assertions-a4b11103

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
struct Matrix { int i0, i1, i2; };  // of a batch, by the values of its indices
struct Counts {  // values of all indices but the outermost
    int i1, i2;
    __device__ __forceinline__ Matrix matrix(int number) const {
        return {number / i2 / i1, number / i2 % i1, number % i2};
    }
};
struct Block { Matrix batch; int m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n; };  // first row and column of the tile of a warp's group in the block's
//> TensorMap-d3462307 BatchBox-a3f2b826
//| TileA-e20324f5 box-3d1bf9e6 SHARERS-bcf5d6ab
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-4835997b box-0f6d50f8 SHARERS-bdd91df1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int MATRICES = 1, PLACES = 2;  // with a slab for each that the body reads
constexpr int SLAB = SLAB_ROWS * SLAB_COLS, PLACE = MATRICES * SLAB;
constexpr int MOVERS = 1;  // warpgroups that store, each with a thread that moves slabs
constexpr int STAGED_ELEMENTS = MOVERS * PLACES * PLACE;

//| Stage-b7b353ab assertions-68c5eceb
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 raster-85142b9a
//| Tiles-0df2a0eb Tiles-47ccdb17
//> warps_of-1b903700 CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-f7235e70 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_arrive_at-c3912136 mbarrier_wait_cluster-80353e42
// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix.i2),
                    "r"(box.matrix.i1), "r"(box.matrix.i0), "r"(barrier) : "memory");
}

// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix.i2),
                    "r"(box.matrix.i1), "r"(box.matrix.i0), "r"(barrier), "h"(blocks) : "memory");
}
//> part_of-9a205dbf sharers-7030810a global_to_shared-aa4ccfe2 descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-c1321784 Ring-4c31a3eb
//> place_after-d40d0eaa initialise-265176ba expect-d3e4bf12 reserve-36dbc259 copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 drain-bdc98a25 pin-e172eba5 forget-7085c2da multiply-977b9126
//> leave-4446b9a0 mainloop-e5b0b3ee body-1f1d72cf Word-b35982a9 load-a04a88c6 store-eb4381ca
//> fetch-47ed8540 fetch_to_slab-13140eea
//| Values-f29535fd
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in slabs, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], const Staged* at,
        int row, int col, int rows, int cols) const {
        float at_residual[COUNT];
        load<16>(at_residual, reinterpret_cast<const bf16*>(at), COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_residual[i]);
        }
    }
//| fill-ee38874e
//> fence_to_copies-b0d621c1
// Issues the store of a slab to the part of the output from (row, col) on; what lies outside is
// left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* slab, Matrix matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(slab));
    asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2, %3, %4, %5}], [%6];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix.i2), "r"(matrix.i1), "r"(matrix.i0),
                    "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
//> await_reads-63a34c34 in_slab-f6c49cfa from_value-23dfb28d finish-6c7e9590 first_band-62720a9a
//> stage-cfbe5719
// Issues the copy of the part of a matrix from (row, col) on to a slab; `barrier` counts its bytes.
// Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_slab(
    const TensorMap& from, unsigned slab, Matrix matrix, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                 :: "r"(slab), "l"(&from), "r"(col), "r"(row), "r"(matrix.i2), "r"(matrix.i1),
                    "r"(matrix.i0), "r"(barrier) : "memory");
}
//> are_moved-2614516d
//| Maps-195b6991
    // Issues the copies of the part of each matrix from (row, col) on to a place.
    __device__ __forceinline__ void fetch(
        unsigned place, Matrix matrix, int row, int col, unsigned barrier) const {
        global_to_slab(residual, place, matrix, row, col, barrier);
    }
};

//| Slabs-ffd3f125 Slabs-e8fd39d8

//| SlabPlace-d65f79d9 advance-1f28b56a
//> initialise_slabs-853028e7 group_moved-f48223c2 Part-432619f0
// Has the copy unit bring what the body reads in a pass.
__device__ __forceinline__ void bring(
    const Slabs& slabs, unsigned place, const Maps& maps, Matrix matrix, Part part) {
    const unsigned fetched = slabs.fetched + place * 8;
    const void* const at = slabs.places + place * PLACE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(fetched, PLACE * sizeof(Staged));
    maps.fetch(to, matrix, part.row, part.col, fetched);
}

// The mover of a warpgroup, one thread, for a part of the output from (row0, col0) on: has what the
// warpgroup has put into a place stored, and what the body reads PLACES passes later brought there.
__device__ __forceinline__ void move(
    const Slabs& slabs, SlabPlace& place, const Maps& maps, Matrix matrix, int row0, int col0) {
#pragma unroll 1
    for (int pass = -PLACES; pass < PASSES; ++pass, place.advance()) {
        if (pass >= 0) {
            const auto [row, col] = part_of(pass, row0, col0);
            mbarrier_wait(slabs.written + place.number * 8, place.parity);
            shared_to_global(maps.out, slabs.places + place.number * PLACE, matrix, row, col);
            await_reads<0>();
        }
        const int next = pass + PLACES;
        if (next < PASSES) bring(slabs, place.number, maps, matrix, part_of(next, row0, col0));
    }
    place.parity ^= 1;  // it has gone round once more than the places were filled
}
//> Chunk-4b088f28 fill-41734635 slab_to_global-a124f7d8 epilogue-ca2abb8c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_of_three_indices_9a6102afebac0a60(
    int m, int n, int k,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap keys,
    const bf16* residual, long long ld_residual, long long stride_0_residual, long long
        stride_1_residual, long long stride_2_residual,
    const __grid_constant__ TensorMap map_residual,
    bf16* out, long long ld_out, long long stride_0_out, long long stride_1_out, long long
        stride_2_out,
    const __grid_constant__ TensorMap map_out,
    int count_1,
    int count_2,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(q);
        prefetch_map(keys);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        initialise(ring);
    }
    initialise_slabs(shared);
    Tiles tiles(m, n, {count_1, count_2}, matrices);
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
        const int group = group_moved();
        if (group >= 0 && are_moved(n)) {
            const Slabs slabs(shared, group);
            const Warp warp = warps_of(group);
            const Maps maps = {map_residual, map_out};
            SlabPlace place = {0, 1};  // nothing has been put there: each counts as stored
            while (tiles.next(block)) {
                move(slabs, place, maps, block.batch, block.m + warp.m, block.n + warp.n);
            }
        }
        return;
    }
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    const Slabs slabs(shared, threadIdx.x / 128);
    SlabPlace slab = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        const Values values = {residual + block.batch.i0 * stride_0_residual + block.batch.i1 *
            stride_1_residual + block.batch.i2 * stride_2_residual, ld_residual};
        epilogue(acc, slabs, slab, values, out + block.batch.i0 * stride_0_out + block.batch.i1 *
            stride_1_out + block.batch.i2 * stride_2_out, ld_out, block.m + warp.m, block.n +
            warp.n, m, n);
    }
}
