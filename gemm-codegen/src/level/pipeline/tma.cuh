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
#if TERMS
    // The next term initialises its barriers in their place.
    for (int stage = 0; thread == 0 && stage < STAGES; ++stage) {
        mbarrier_invalidate(full + stage * BARRIER_BYTES);
        mbarrier_invalidate(empty + stage * BARRIER_BYTES);
    }
#endif
}
