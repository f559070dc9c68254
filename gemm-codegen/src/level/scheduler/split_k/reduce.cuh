// The address of a place in this block's shared memory, but in the block of that rank.
// (PTX ISA, mapa)
__device__ __forceinline__ unsigned at_rank(const Sum* place, unsigned rank) {
    unsigned remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(remote)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(place))), "r"(rank));
    return remote;
}

// Stores four sums there. (PTX ISA, st)
__device__ __forceinline__ void store_at_rank(unsigned remote, const Sum* sums) {
#if INTEGERS
    asm volatile("st.shared::cluster.v4.s32 [%0], {%1, %2, %3, %4};"
                 :: "r"(remote), "r"(sums[0]), "r"(sums[1]), "r"(sums[2]), "r"(sums[3])
                 : "memory");
#else
    asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};"
                 :: "r"(remote), "f"(sums[0]), "f"(sums[1]), "f"(sums[2]), "f"(sums[3])
                 : "memory");
#endif
}

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
