// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through a ring of STAGES stages: STAGES - 1
// are in flight while one is multiplied.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
#if PARTS
    const TileA::Element* a, long long ld_a, const FactorsOfB& b, int m, int n, int k) {
#else
    const TileA::Element* a, long long ld_a, const TileB::Element* b, long long ld_b,
    int m, int n, int k) {
#endif
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    const unsigned last = ring + (STAGES - 1) * STAGE_BYTES;
    Source<TileA> source_a(a, ld_a, block.m, m, k);
#if PARTS
    SourcesOfB<0> source_b(b, block.n / PRODUCTS, n, k);
#else
    Source<TileB> source_b(b, ld_b, block.n, n, k);
#endif

#if PROLOGUE
    unsigned read = ring, write = last;  // stages of the ring
#else
    unsigned read = ring, write = ring;  // stages of the ring
#endif
    const auto copy_next_tile = [&] {
        global_to_shared(write, source_a);
        global_to_shared(write + TileA::BYTES, source_b);
        cp_async_commit();
        write = write == last ? ring : write + STAGE_BYTES;
    };

    // Prologue: all stages but the last. K-tiles past the end of k are zeros.
#if PROLOGUE
    prologue(ring, source_a, source_b);
#else
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) copy_next_tile();
#endif
    cp_async_wait<STAGES - 2>();
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
#if B_FIRST
    shared_to_register<TileB>(fragments_b[0], ring + TileA::BYTES, warp.n, warp.k);
    shared_to_register<TileA>(fragments_a[0], ring, warp.m, warp.k);
#else
    shared_to_register<TileA>(fragments_a[0], ring, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], ring + TileA::BYTES, warp.n, warp.k);
#endif

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        // Refills the stage that the previous k-tile was read from; a barrier lies between. The
        // copies follow the loads that the next k-step waits for, except where the only k-step
        // waits for their group.
        if (STEPS_K == 1) copy_next_tile();
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next k-tile, which must have landed.
                cp_async_wait<STAGES - 2>();
                __syncthreads();
                read = read == last ? ring : read + STAGE_BYTES;
            }
            const int next = (step + 1) % 2, next_k = warp.k + (step + 1) % STEPS_K * MMA_K;
#if B_FIRST
            // The first factor of A meets all factors of B.
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
#else
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
#endif
            if (STEPS_K > 1 && step == 0) copy_next_tile();
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    cp_async_wait<0>();
    __syncthreads();
}
