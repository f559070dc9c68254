// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through a ring of STAGES tiles of which
// STAGES - 1 are in flight while one is multiplied.
__device__ __forceinline__ void mainloop(
    float (&acc)[ATOMS_M][ATOMS_N][4], unsigned char* shared, Block block, Warp warp,
    const TileA::Element* a, long long ld_a, const TileB::Element* b, long long ld_b,
    int m, int n, int k) {
    TileA::Element* const ring_a = reinterpret_cast<TileA::Element*>(shared);
    TileB::Element* const ring_b = reinterpret_cast<TileB::Element*>(ring_a + STAGES * TileA::SIZE);
    Source<TileA> source_a(a, ld_a, block.m, m, k);
    Source<TileB> source_b(b, ld_b, block.n, n, k);

    // Prologue: all stages but one. Tiles past the end of k are zeros.
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring_a + tile * TileA::SIZE, source_a);
        global_to_shared(ring_b + tile * TileB::SIZE, source_b);
        cp_async_commit();
    }
    cp_async_wait<STAGES - 2>();
    __syncthreads();

    // Fragments of two k-steps: while one is multiplied, the next is on its way.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    shared_to_register<TileA>(fragments_a[0], ring_a, warp.m, 0);
    shared_to_register<TileB>(fragments_b[0], ring_b, warp.n, 0);

    int read = 0, write = STAGES - 1;  // stages of the ring
    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == 0) {
                // The stage that the previous tile was read from; a barrier lies between.
                global_to_shared(ring_a + write * TileA::SIZE, source_a);
                global_to_shared(ring_b + write * TileB::SIZE, source_b);
                cp_async_commit();
                write = write + 1 == STAGES ? 0 : write + 1;
            }
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next tile: it must have landed, for all.
                cp_async_wait<STAGES - 2>();
                __syncthreads();
                read = read + 1 == STAGES ? 0 : read + 1;
            }
            const int next_k = (step + 1) % STEPS_K * MMA_K;
            shared_to_register<TileA>(
                fragments_a[(step + 1) % 2], ring_a + read * TileA::SIZE, warp.m, next_k);
            shared_to_register<TileB>(
                fragments_b[(step + 1) % 2], ring_b + read * TileB::SIZE, warp.n, next_k);
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next tile begins with fragments 0 again
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    cp_async_wait<0>();
    __syncthreads();
}
