// tensor_terms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 128],
//         warps   = [2, 2, 2],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn tensor_terms(
//         x: Batched<bf16, B, M, K>,
//         w: Mat<bf16, N, K>,
//         t: Batched<bf16, B, M, R>,
//         b: Mat<bf16, N, R>,
//     ) -> Batched<f32, B, M, N>
//
// out(B, M, N) = body(sum over R of t * b + sum over K of x * w), for any B, M, N, R and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-0a49233d bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 128;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 131136;
//| assertions-9dba4853
//> Sum-7221478b TensorMap-d3462307 Box-635e1a60
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, after `t`, in shared memory.
struct TileA : RowTile<bf16, BLK_M, WARP_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-3d1bf9e6 TRANSPOSED-e928c892

// B, the operand `w`, after `b`, in shared memory.
struct TileB : RowTile<bf16, BLK_N, WARP_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-7bdd4d5e TRANSPOSED-6ef2373a

//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-728e900f
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-54282f28 assertions-d8b0c965
//> TileIndex-8baeca33 raster-d5c0e186 warps-b18ece6c CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 fence_proxy_async-1092b3bf mbarrier_init-ae866601
//> mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145
//> mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe copy_box-2caac2fa
//> global_to_shared-cabdcfca ldmatrix_x4-d405aef7 matrix_mn-afef1e3e lane_row-db44ef5c
//> shared_to_register-33844035 mma_atom-23e84999
// Ends a barrier: its place may be used otherwise. (PTX ISA, mbarrier.inval)
__device__ __forceinline__ void mbarrier_invalidate(unsigned barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(barrier) : "memory");
}

// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), k from `from` on. The warps at one place along
// k are a group: they multiply WARP_K of each BLK_K, through a ring of their own that the copy unit
// fills STAGES - 1 stages ahead. Each stage has two barriers: `full` completes when the stage has
// landed, `empty` when every warp of the group has loaded from it. Warps synchronise only through
// the stage being refilled.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
    const TileA::Factor& a, const TileB::Factor& b, int from, int k) {
    constexpr int LOADS_A = TileA::REGISTERS / 4, LOADS_B = TileB::REGISTERS / 4;  // of a k-step
    constexpr int AHEAD = (LOADS_A < 4 ? LOADS_A : 4) - 1;  // loads of A in flight
    constexpr int ATOMS_OF_LOAD = 4 / A_REGISTERS, WARPS = WARPS_M * WARPS_N;  // of a group
    static_assert(LOADS_A * STEPS_K % (AHEAD + 1) == 0, "each k-tile starts from fragments 0");
    const int group = warp.k / WARP_K, thread = int(threadIdx.x) - group * WARPS * 32;
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared.rings[group]));
    const Barriers& barriers = shared.barriers[group];
    const unsigned full = static_cast<unsigned>(__cvta_generic_to_shared(barriers.full));
    const unsigned empty = static_cast<unsigned>(__cvta_generic_to_shared(barriers.empty));
    const int tiles = (k + BLK_K - 1) / BLK_K;
    if (tiles == 0) return;  // a matrix without columns has no tensor map

    const auto copy = [&](int tile, unsigned stage) {
        const unsigned to = ring + stage * STAGE_BYTES, landed = full + stage * BARRIER_BYTES;
        const int at_k = from + tile * BLK_K + warp.k;
        mbarrier_arrive_expect(landed, BOXES_BYTES);
        global_to_shared<TileA>(to, a, block, at_k, landed);
        global_to_shared<TileB>(to + TileB::STAGE_OFFSET, b, block, at_k, landed);
    };
    // One k-tile past the end of k is copied too, for the loads that run ahead.
    if (thread == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            mbarrier_init(full + stage * BARRIER_BYTES, FULL_ARRIVALS);
            mbarrier_init(empty + stage * BARRIER_BYTES, EMPTY_ARRIVALS);
        }
        mbarrier_init_fence();
        for (int tile = 0; tile < min(STAGES - 1, tiles + 1); ++tile) copy(tile, tile);
    }
    __syncthreads();

    // The stage being read and the parity of the phase that fills it; the same for the next
    // k-tile, and whether that one has landed.
    unsigned read = 0, filled = 0, next_read = 0, next_filled = 0;
    bool has_landed = false;
    mbarrier_wait(full, filled);
    unsigned lane_a = lane_row<TileA>(warp.m);
    unsigned lane_b = TileA::BYTES + lane_row<TileB>(warp.n);
    // Opaque to the compiler, so that it does not rematerialise them per k-tile.
    asm volatile("" : "+r"(lane_a), "+r"(lane_b));
    unsigned row_a = ring + lane_a, row_b = ring + lane_b;

    // Fragments of two k-steps of B, and of AHEAD loads of A besides the one in use.
    unsigned fragments_a[AHEAD + 1][4], fragments_b[2][TileB::REGISTERS];
#pragma unroll
    for (int load = 0; load < LOADS_B; ++load) {
        shared_to_register<TileB>(&fragments_b[0][load * 4], row_b, 0, load);
    }
#pragma unroll
    for (int load = 0; load < AHEAD; ++load) {
        shared_to_register<TileA>(fragments_a[load], row_a, 0, load);
    }
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            const bool last = step == STEPS_K - 1;
            const int next = (step + 1) % 2, next_k = (step + 1) % STEPS_K * MMA_K;
#pragma unroll
            for (int load = 0; load < LOADS_A; ++load) {
                // Asked one load before the next k-tile is needed: the products hide the latency.
                if (last && load == LOADS_A - AHEAD - 1) {
                    next_read = read + 1 == STAGES ? 0 : read + 1;
                    next_filled = next_read == 0 ? filled ^ 1 : filled;
                    has_landed = mbarrier_try_wait(full + next_read * BARRIER_BYTES, next_filled);
                }
                if (last && load == LOADS_A - AHEAD) {
                    // From here on the loads are the next k-tile's.
                    if (threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * BARRIER_BYTES);
                    read = next_read, filled = next_filled;
                    if (!has_landed) mbarrier_wait(full + read * BARRIER_BYTES, filled);
                    row_a = ring + read * STAGE_BYTES + lane_a;
                    row_b = ring + read * STAGE_BYTES + lane_b;
                }
                const int ahead = load + AHEAD, number = step * LOADS_A + load;
                shared_to_register<TileA>(
                    fragments_a[(number + AHEAD) % (AHEAD + 1)], row_a,
                    ahead < LOADS_A ? step * MMA_K : next_k, ahead % LOADS_A);
                // B of the next k-step, spread over the loads of A from the same k-tile.
                const int shares = last ? AHEAD : LOADS_A;
                const int share = load - (LOADS_A - shares);
#pragma unroll
                for (int of_b = 0; of_b < LOADS_B; ++of_b) {
                    if (of_b * shares / LOADS_B != share) continue;
                    shared_to_register<TileB>(&fragments_b[next][of_b * 4], row_b, next_k, of_b);
                }
                // Refills the stage that the previous k-tile was read from. The warps issue the
                // copies in turn, so that none of them is always late.
                if (step == 0 && load == 1 && thread == tile % WARPS * 32
                        && tile + STAGES - 1 <= tiles) {
                    const unsigned write = read == 0 ? STAGES - 1 : read - 1;
                    mbarrier_wait(empty + write * BARRIER_BYTES, read == 0 ? filled ^ 1 : filled);
                    fence_proxy_async();
                    copy(tile + STAGES - 1, write);
                }
                const auto& factors_a = fragments_a[number % (AHEAD + 1)];
#pragma unroll
                for (int i = 0; i < ATOMS_OF_LOAD; ++i) {
#pragma unroll
                    for (int j = 0; j < ATOMS_N; ++j) {
                        mma_atom(acc[load * ATOMS_OF_LOAD + i][j], &factors_a[i * A_REGISTERS],
                                 &fragments_b[step % 2][j * B_REGISTERS]);
                    }
                }
            }
        }
    }
    __syncthreads();
    // The next term initialises its barriers in their place.
    for (int stage = 0; thread == 0 && stage < STAGES; ++stage) {
        mbarrier_invalidate(full + stage * BARRIER_BYTES);
        mbarrier_invalidate(empty + stage * BARRIER_BYTES);
    }
}
//> body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_terms_2ced7ebd6d81859f(
    int m, int n, int k, int added_k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap t,
    const __grid_constant__ TensorMap b,
    f32* out, long long ld_out, long long stride_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    out += block.batch * stride_out;
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, t, b, 0, added_k);
    mainloop(acc, shared, block, warp, x, w, 0, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
