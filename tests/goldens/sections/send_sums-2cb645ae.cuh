// Sends the sums of each other block's columns to that block.
//
// received(SPLITS - 1, ATOMS_M * BANDS, CONSUMERS, 4): of each other block, in the order of the
// ranks, the sums of a lane in bands of 8 columns, so that warps access whole lines.
// (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void send_sums(const Accumulators& acc, Shared& shared, int rank) {
    constexpr int BANDS = STORED_N / 8;
    static_assert(sizeof(shared.received[0]) == ATOMS_M * BANDS * CONSUMERS * 4 * sizeof(Sum),
                  "a part has four sums of each lane for each band");
#pragma unroll
    for (int to = 0; to < SPLITS; ++to) {
        if (to == rank) continue;
        const Sum* const part = shared.received[rank - (rank > to)] + threadIdx.x * 4;
        const unsigned remote = at_rank(part, to);
#pragma unroll
        for (int i = 0; i < ATOMS_M * BANDS; ++i) {
            const Sum* const sums = &acc[i / BANDS][(to * BANDS + i % BANDS) * 4];
            store_at_rank(remote + i * CONSUMERS * 4 * unsigned(sizeof(Sum)), sums);
        }
    }
}
