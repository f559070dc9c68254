// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through two stages: while one is multiplied,
// the next k-tile is loaded to registers, and from there stored to the other.
__device__ __forceinline__ void mainloop(
#if SCALES
    Accumulators& acc, Shared& shared, Warp warp, SourceA& source_a, SourceB& source_b,
    ScalesA& scales_a, ScalesB& scales_b, int k) {
#else
    Accumulators& acc, Shared& shared, Warp warp, SourceA& source_a, SourceB& source_b, int k) {
#endif
    const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    unsigned read = first, write = first + STAGE_BYTES;  // the two stages
    HeldA held_a;
    HeldB held_b;

    // Prologue: the first k-tile.
    global_to_register(held_a, source_a);
    global_to_register(held_b, source_b);
    register_to_shared(read, held_a);
    register_to_shared(read + TileA::BYTES, held_b);
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    load_fragments(fragments_a[0], fragments_b[0], read, warp, 0);

#if SUMS_OF_PRODUCTS
    Accumulators sums = {};  // since they were last added to acc
#endif
#if OFFSETS
    SumsOfTile sums = {};  // since they were last added to acc
#endif
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
            const int next = (step + 1) % 2, next_step = (step + 1) % STEPS_K;
            load_fragments(fragments_a[next], fragments_b[next], read, warp, next_step);
#if SUMS
            mma(sums, fragments_a[step % 2], fragments_b[step % 2]);
#else
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
#endif
#if SCALES
            if ((step + 1) % SCALED_STEPS == 0) {
                scale(acc, sums, scales_a, scales_b);
                next_scales(scales_a, scales_b, step);
            }
#endif
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
#if PROMOTES
        if ((tile + 1) % PROMOTED == 0) promote(acc, sums);
#endif
    }
#if PROMOTES
    promote(acc, sums);
#endif
    __syncthreads();
}
