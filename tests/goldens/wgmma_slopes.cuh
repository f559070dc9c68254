// wgmma_slopes, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_slopes(
//         q: Batched<f16, B, M, K>,
//         k: Batched<f16, B, N, K>,
//         bias: Batched<f16, B, M, N>,
//     ) -> Batched<f16, B, M, N>
//
// out(B, M, N) = body(sum over K of q * k), for any B, M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_bias = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 106608;
//| assertions-a4b11103
//> Sum-d832b4f6 TensorMap-d3462307 BatchBox-d09c892f
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
// A, the operand `q`, in shared memory.
struct TileA : BoxTile<f16, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-3d1bf9e6 LEADING-e5009d8c

// B, the operand `k`, in shared memory.
struct TileB : BoxTile<f16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-0f6d50f8 LEADING-e5009d8c
//> Out-b3de58ed Stage-80d34ffb Barriers-db51eeef EpilogueBarriers-92705032
//| Shared-f7c6dc81
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> TileIndex-8baeca33 raster-d5c0e186
//| Tiles-0224ff69 Tiles-c0bd7d15
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2caac2fa
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-e68ba2a2 warpgroup_reg_dealloc-c73d0c50
//> k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-e4e0dee6 wait_for_products-ea9687cb
//> clear-39daced7 skip-95064da4 mainloop-82db7f9f wrapping_add-ed71f3a8 wrapping_sub-ca80cef6
__device__ __forceinline__ float body(
        const float acc,
        const int row,
        const int col,
        const int matrix,
        const float bias) {
    const float slope = 0.5f / float(wrapping_add(matrix, 1));
    return acc + bias + slope * float(wrapping_sub(col, row));
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3
//> in_tile-b3e81b6b fill_tile-212dc4e2
// What the body reads beside the accumulator.
struct Values {
    int matrix;  // number of the tile's matrix in the output
    MatrixRun<f16, ALIGN_bias> bias;
    // Brings COUNT elements of each matrix to its epilogue tile.
    template <int COUNT>
    __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {
        fill_tile<COUNT>(at, bias, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in epilogue tiles, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Staged* at, int row, int col,
            int rows, int cols) const {
        const auto at_bias = in_tile<f16, float, COUNT>(at);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], row, col + i, matrix, at_bias[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> shared_to_global-e2e29ade await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-57021fd8 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-563f7e31 operator-b04589cd
//> global_to_tile-2936593b
// Whether the copy unit copies epilogue tiles, which stores rows of whole multiples of 16 bytes;
// else the threads of their warpgroup do.
__device__ __forceinline__ bool are_copied(int cols) {
    return ALIGN_bias == 16 && ALIGN_out == 16 && cols % OUT_VECTOR == 0;
}

// What the body reads and the output, as the copy unit copies them.
struct Maps {
    const TensorMap &bias, &out;
//| bytes-c037436e
    // Issues the copies of the part of each matrix from (row, col) on to a stage.
    __device__ __forceinline__ void load(
        unsigned stage, int matrix, int row, int col, unsigned barrier) const {
        global_to_tile(bias, stage, matrix, row, col, barrier);
    }
};

//| EpilogueRing-d60f8d28 EpilogueRing-2f31e564 loaded_barrier-cd6be725 written_barrier-0b0f7285
//> init_epilogue_barriers-37e6292b copied_group-2e6757bf load_stage-557b457f
//> load_and_store-aa085815 Chunk-2f25dd70 fill-93bd6d85 shared_to_global-d5a04d84 epilogue-974cfb6a
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_slopes_5d70402de1ac9b43(
    int m, int n, int k,
    const __grid_constant__ TensorMap q,
    const __grid_constant__ TensorMap k_,
    const f16* bias, long long ld_bias, long long stride_bias,
    const __grid_constant__ TensorMap map_bias,
    f16* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(q);
        prefetch_map(k_);
        prefetch_map(map_bias);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    init_epilogue_barriers(shared);
    Tiles tiles(m, n, matrices);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), q, k_, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, q, k_, 0, k, started);
                started = 0;
            }
        }
        const int copied = copied_group();
        if (copied >= 0 && are_copied(n)) {
            const EpilogueRing epilogue_ring(shared, copied);
            const Warpgroup warpgroup = warpgroup_of(copied);
            const Maps maps = {map_bias, map_out};
            EpilogueState state = {0, 1};  // nothing is there yet: each stage counts as stored
            if (copied == 1) tiles.advance();
            while (tiles.next(block)) {
                load_and_store(epilogue_ring, state, maps, block.batch, block.m + warpgroup.m,
                    block.n + warpgroup.n);
                tiles.advance();
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);
    EpilogueState epilogue_state = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        ordered_barrier_arrive(0);
        tiles.advance(), skip(state, k_tiles(k));
    }
    while (tiles.next(block)) {
        ordered_barrier_wait(group);
        mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);
        const Values values = {block.batch, bias + block.batch * stride_bias, ld_bias};
        const Outputs outputs = {out + block.batch * stride_out, ld_out};
        epilogue(acc, epilogue_ring, epilogue_state, values, outputs, block.m + warpgroup.m, block.n
            + warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(k));  // which the other has
    }
}
