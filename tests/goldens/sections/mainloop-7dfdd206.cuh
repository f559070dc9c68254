// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through a ring of STAGES stages: STAGES - 1
// are in flight while one is multiplied.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Warp warp, SourceA& source_a, SourceB& source_b,
    ScalesA& scales_a, ScalesB& scales_b, int k) {
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    const unsigned last = ring + (STAGES - 1) * STAGE_BYTES;
    unsigned read = ring, write = last;  // stages of the ring
    const auto copy_next_tile = [&] {
        global_to_shared(write, source_a);
        global_to_shared(write + TileA::BYTES, source_b);
        cp_async_commit();
        write = write == last ? ring : write + STAGE_BYTES;
    };
    prologue(ring, source_a, source_b);
    cp_async_wait<STAGES - 2>();
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    load_fragments(fragments_a[0], fragments_b[0], ring, warp, 0);

    Accumulators sums = {};  // since they were last added to acc
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
            const int next = (step + 1) % 2, next_step = (step + 1) % STEPS_K;
            load_fragments(fragments_a[next], fragments_b[next], read, warp, next_step);
            if (STEPS_K > 1 && step == 0) copy_next_tile();
            mma(sums, fragments_a[step % 2], fragments_b[step % 2]);
            if ((step + 1) % SCALED_STEPS == 0) {
                scale(acc, sums, scales_a, scales_b);
                next_scales(scales_a, scales_b, step);
            }
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
