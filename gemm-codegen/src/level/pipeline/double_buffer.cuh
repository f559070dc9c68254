// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through two stages: while one is multiplied,
// the next k-tile is loaded to registers, and from there stored to the other.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
#if PARTS
    const TileA::Element* a, long long ld_a, const FactorsOfB& b, int m, int n, int k) {
#else
    const TileA::Element* a, long long ld_a, const TileB::Element* b, long long ld_b,
    int m, int n, int k) {
#endif
    const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    unsigned read = first, write = first + STAGE_BYTES;  // the two stages
    Source<TileA> source_a(a, ld_a, block.m, m, k);
#if PARTS
    SourcesOfB<0> source_b(b, block.n / PRODUCTS, n, k);
#else
    Source<TileB> source_b(b, ld_b, block.n, n, k);
#endif
    Held<TileA> held_a;
#if PARTS
    HeldOfB<0> held_b;
#else
    Held<TileB> held_b;
#endif

    // Prologue: the first k-tile.
    global_to_register(held_a, source_a);
    global_to_register(held_b, source_b);
    register_to_shared(read, held_a);
    register_to_shared(read + TileA::BYTES, held_b);
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    shared_to_register<TileA>(fragments_a[0], read, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], read + TileA::BYTES, warp.n, warp.k);

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        // K-tiles past the end of k are zeros.
        global_to_register(held_a, source_a);
        global_to_register(held_b, source_b);
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next k-tile, which goes to the stage that
                // the previous one was read from; a barrier lies between.
                register_to_shared(write, held_a);
                register_to_shared(write + TileA::BYTES, held_b);
                __syncthreads();
                const unsigned filled = write;
                write = read;
                read = filled;
            }
            const int next = (step + 1) % 2, next_k = warp.k + (step + 1) % STEPS_K * MMA_K;
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    __syncthreads();
}
