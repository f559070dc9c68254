// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N) with their scales.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Warp warp, Sources from,
    ScalesA& scales_a, ScalesB& scales_b, int k) {
    Pipeline pipeline(shared, from);

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    load_fragments(fragments_a[0], fragments_b[0], pipeline.read, warp, 0);

    SumsOfTile sums = {};  // since they were last added to acc
    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        pipeline.begin_tile();
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) pipeline.next_tile();  // whose first k-step is the next
            const int next = (step + 1) % 2, next_step = (step + 1) % STEPS_K;
            load_fragments(fragments_a[next], fragments_b[next], pipeline.read, warp, next_step);
            pipeline.end_loads(step);
            mma(sums, fragments_a[step % 2], fragments_b[step % 2]);
            if ((step + 1) % SCALED_STEPS == 0) {
                scale(acc, sums, scales_a, scales_b);
                next_scales(scales_a, scales_b, step);
            }
        }
        restart_fragments(fragments_a, fragments_b);
    }
    pipeline.finish();
}
