// Reduces the sums of the blocks that share a tile, in the order of their ranks. Each block does so
// for its STORED_N columns of each atom, and then has them in the first sums of its own. Indices of
// sums are constants, `from` and `to` too, so that sums stay in registers.
__device__ __forceinline__ void reduce(Accumulators& acc, Shared& shared, int rank) {
    constexpr int BANDS = STORED_N / 8;
    release_shared();
    cluster_meet();  // every block has read its ring
    send_sums(acc, shared, rank);
    cluster_sync();  // all parts are there, and no block accesses another one after that
#pragma unroll
    for (int i = 0; i < ATOMS_M * BANDS; ++i) {
        Sum total[4] = {};
#pragma unroll
        for (int from = 0; from < SPLITS; ++from) {
            const Sum* const own = &acc[i / BANDS][(from * BANDS + i % BANDS) * 4];
            Sum sums[4] = {own[0], own[1], own[2], own[3]};
            if (from != rank) {
                const Sum* const part = shared.received[from - (from > rank)] + threadIdx.x * 4;
                load<16>(sums, part + i * CONSUMERS * 4, 4);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) total[j] = from == 0 ? sums[j] : total[j] + sums[j];
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i / BANDS][i % BANDS * 4 + j] = total[j];
    }
}
