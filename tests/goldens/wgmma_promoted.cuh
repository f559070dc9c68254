// wgmma_promoted, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 64, 64],
//         warpgroups = [1, 1],
//         schedule = cooperative,
//         mma     = m64n64k16,
//         promote = 128,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_promoted(a: Mat<bf16, M, K>, b: Mat<bf16, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 64, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 64, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 32;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int PROMOTED = 2;  // k-tiles whose products the tensor cores sum
constexpr int PROMOTED_SUMS = SUMS;  // at a time
constexpr int SHARED_BYTES = 114752;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-e41f5ecb box-016ed81f LEADING-e5009d8c

//| TileB-3027c7ab box-7bdd4d5e LEADING-e5009d8c
//> Out-4f48350a Stage-80d34ffb Barriers-db51eeef
//| Shared-0fdef90d
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-ca559c7f
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-e91f571a WARPGROUP_BARRIER-2f8ea26c
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-cabdcfca instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1 wgmma-927cd42f k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b clear-39daced7 Unpromoted-e3790c7c multiply-be86e2d8 multiply-2e35231e
//> promote-43c14859 release-481bfcfd wait_for_products-9216f7e8
// Multiplies all k-tiles, one at least, PROMOTED of them at a time and one atom after the other.
// Their stages are then released, but for the last one, which is returned.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
    clear(acc);
    for (int left = tiles;; left -= PROMOTED) {
        const int count = PROMOTED == 1 ? 1 : min(left, PROMOTED);
        const bool is_last = left <= PROMOTED;
        unsigned latest;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            Unpromoted now;
            multiply(now, ring, state, warpgroup, i, count, [] {});
            wgmma_wait<0>();
            if (i == ATOMS_M - 1) latest = release(ring, state, count, is_last);
            promote(acc[i], now);
        }
        if (is_last) return latest;
    }
}
//> mainloop-fe3ead94 body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 shared_to_global-e989de97 await_reads-5524745e in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-c6c88b57 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-46665d36
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_promoted_1a247c3b7da6c2f5(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, a, b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
            warpgroup.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
