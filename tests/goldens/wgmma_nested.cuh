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
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-0a49233d bf16-3500fa9b f32-4eeb73e9
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
struct Warpgroup { int m, n; };  // first row and column of its tile in the block's
//> TensorMap-d3462307 BatchBox-a3f2b826
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-d33a73f8 box-3d1bf9e6 SHARERS-59bc54a5

//| TileB-4c82b253 box-0f6d50f8 SHARERS-5b96fec6
//> Out-228eafb0 Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
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
//> part_of-9a205dbf sharers-7030810a move_to_part-d8aeb749 copy_part-e41868b2
//> global_to_shared-f233c4a7 instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-4afeab92 producer_tail-a4d2a451
//> copy_tile-6ff33078 start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4
//> discard_operand-bc9f3407 consumer_release-7296712d multiply-ded6cf3f multiply_all-e4e0dee6
//> wait_for_products-ea9687cb clear-39daced7 mainloop-fe3ead94 relu-5d722858 body-44d0bef3
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-94e1a28f read-1a9b8962

//| Values-471782ed apply-e1fc4b10

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540
// Issues the store of an epilogue tile to the part of the output from (row, col) on; what lies
// outside is left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* tile, Matrix matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2, %3, %4}], [%5];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix.i1), "r"(matrix.i0), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
//> await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-7bc79b08
//> EpilogueTile-c6c88b57 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes. Each stages results in
// an epilogue tile. The copy unit stores it where rows are whole numbers of 16 bytes, in which it
// counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    const TensorMap& map, Matrix matrix, int row0, int col0, int rows, int cols) {
    constexpr bool EVEN = PASSES % EPILOGUE_TILES == 0;  // the next tile begins with the first
    const bool boxes = OUT_VECTOR * int(sizeof(Out)) == 16 && cols % OUT_VECTOR == 0;
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<EPILOGUE_TILES - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) warpgroup_sync();  // the epilogue tile has been read
        stage(of_pass, acc, pass, PutResults{values, tile});
        if (boxes) fence_proxy_async();
        warpgroup_sync();  // which also says that the tile before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, of_pass, matrix, tile.row, tile.col);
            continue;
        }
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, of_pass + chunk.staged, OUT_VECTOR);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
}

// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_nested_75ff699a08ab014f(
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
        init_barriers(ring);
    }
    Tiles tiles(m, n, {count_1}, matrices);
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
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        const Values values = {bias + block.batch.i0 * stride_0_bias + block.batch.i1 *
            stride_1_bias};
        const Outputs outputs = {out + block.batch.i0 * stride_0_out + block.batch.i1 *
            stride_1_out, ld_out};
        epilogue(acc, shared.staged, values, outputs, map_out, block.batch, block.m + warpgroup.m,
            block.n + warpgroup.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
