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
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_residual-975376ac bf16-3500fa9b f32-4eeb73e9
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
struct Warpgroup { int m, n; };  // first row and column of its tile in the block's
//> TensorMap-d3462307 BatchBox-a3f2b826
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-d33a73f8 box-3d1bf9e6 SHARERS-59bc54a5

//| TileB-4c82b253 box-0f6d50f8 SHARERS-5b96fec6

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int EPILOGUE_STAGES = 2;
constexpr int EPILOGUE_STAGE = 1 * EPILOGUE_TILE;  // one for each matrix that is read
constexpr int STORERS = 1;  // warpgroups that store, each with a thread that copies
constexpr int STAGED_ELEMENTS = STORERS * EPILOGUE_STAGES * EPILOGUE_STAGE;
//> Stage-80d34ffb Barriers-db51eeef EpilogueBarriers-92705032
//| Shared-f7c6dc81
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-2cf106cb assertions-05652d6b
//> cluster_rank-4b3530fe cluster_meet-7bc415a2 TileIndex-8baeca33 raster-863a313c
//| Tiles-70a68204 Tiles-03f3ec09
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-b28d87f1
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
//> part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749 copy_part-e41868b2
//> global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 mainloop-fe3ead94 body-1f1d72cf Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3
//> in_tile-b3e81b6b fill_tile-212dc4e2
//| Values-9dd10e90 fill-ed1e705e apply-1ff845e2

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;

// Issues the store of an epilogue tile to the part of the output from (row, col) on; what lies
// outside is left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* tile, Matrix matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2, %3, %4, %5}], [%6];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix.i2), "r"(matrix.i1), "r"(matrix.i0),
                    "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
//> await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-7bc79b08
//> EpilogueTile-57021fd8 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-563f7e31 operator-b04589cd

// Issues the copy of the part of a matrix from (row, col) on to an epilogue tile; `barrier` counts
// its bytes. Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_tile(
    const TensorMap& from, unsigned tile, Matrix matrix, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
                 :: "r"(tile), "l"(&from), "r"(col), "r"(row), "r"(matrix.i2), "r"(matrix.i1),
                    "r"(matrix.i0), "r"(barrier) : "memory");
}
//> are_copied-a314c75c
//| Maps-991980db bytes-c037436e
    // Issues the copies of the part of each matrix from (row, col) on to a stage.
    __device__ __forceinline__ void load(
        unsigned stage, Matrix matrix, int row, int col, unsigned barrier) const {
        global_to_tile(residual, stage, matrix, row, col, barrier);
    }
};

//| EpilogueRing-d60f8d28 EpilogueRing-2f31e564 loaded_barrier-cd6be725 written_barrier-0b0f7285
//> init_epilogue_barriers-37e6292b copied_group-2e6757bf
// Has the copy unit bring what the body reads of an epilogue tile.
__device__ __forceinline__ void load_stage(
    const EpilogueRing& ring, unsigned stage, const Maps& maps, Matrix matrix, EpilogueTile tile) {
    const unsigned loaded = ring.loaded_barrier(stage);
    const void* const at = ring.stages + stage * EPILOGUE_STAGE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(loaded, maps.bytes());
    maps.load(to, matrix, tile.row, tile.col, loaded);
}

// One thread for a warpgroup, for its part of the output from (row0, col0) on: has what the
// warpgroup has put into a stage stored, and what the body reads EPILOGUE_STAGES passes later
// brought there.
__device__ __forceinline__ void load_and_store(
    const EpilogueRing& ring, EpilogueState& state, const Maps& maps, Matrix matrix,
    int row0, int col0) {
#pragma unroll 1
    for (int pass = -EPILOGUE_STAGES; pass < PASSES; ++pass, state.advance()) {
        if (pass >= 0) {
            const EpilogueTile tile = epilogue_tile(pass, row0, col0);
            const Staged* const written = ring.stages + state.stage * EPILOGUE_STAGE;
            mbarrier_wait(ring.written_barrier(state.stage), state.phase);
            shared_to_global(maps.out, written, matrix, tile.row, tile.col);
            await_reads<0>();
        }
        const int next = pass + EPILOGUE_STAGES;
        if (next >= PASSES) continue;
        load_stage(ring, state.stage, maps, matrix, epilogue_tile(next, row0, col0));
    }
    state.phase ^= 1;  // it went round the stages once more than the passes do
}
//> Chunk-2f25dd70 fill-93bd6d85 shared_to_global-d5a04d84 epilogue-974cfb6a
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    wgmma_of_three_indices_9f5778f049da54a0(
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
        init_barriers(ring);
    }
    init_epilogue_barriers(shared);
    Tiles tiles(m, n, {count_1, count_2}, matrices);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), q, keys, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, q, keys, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        const int copied = copied_group();
        if (copied >= 0 && are_copied(n)) {
            const EpilogueRing epilogue_ring(shared, copied);
            const Warpgroup warpgroup = warpgroup_of(copied);
            const Maps maps = {map_residual, map_out};
            EpilogueState state = {0, 1};  // nothing is there yet: each stage counts as stored
            while (tiles.next(block)) {
                load_and_store(epilogue_ring, state, maps, block.batch, block.m + warpgroup.m,
                    block.n + warpgroup.n);
            }
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);
    EpilogueState epilogue_state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        const Values values = {residual + block.batch.i0 * stride_0_residual + block.batch.i1 *
            stride_1_residual + block.batch.i2 * stride_2_residual, ld_residual};
        const Outputs outputs = {out + block.batch.i0 * stride_0_out + block.batch.i1 * stride_1_out
            + block.batch.i2 * stride_2_out, ld_out};
        epilogue(acc, epilogue_ring, epilogue_state, values, outputs, block.m + warpgroup.m, block.n
            + warpgroup.n, m, n);
    }
}
