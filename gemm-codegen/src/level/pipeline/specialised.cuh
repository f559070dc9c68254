// Gives registers of the producer's to the consumers. (PTX ISA, setmaxnreg)
template <int REGISTERS>
__device__ __forceinline__ void fewer_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}
template <int REGISTERS>
__device__ __forceinline__ void more_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

// The k-tiles of a tile of the output.
__device__ __forceinline__ int tiles_of(int k) { return (k + BLK_K - 1) / BLK_K; }

// A place in the ring: a stage, and the parity of the phase that the next wait for it is for.
struct Place {
    unsigned stage, parity;
    __device__ __forceinline__ void advance() {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
#if TURNS
    // Leaves out the k-tiles of the other warpgroup.
    __device__ __forceinline__ void skip(int tiles) {
        const unsigned to = stage + tiles;
        stage = to % STAGES, parity ^= to / STAGES & 1;
    }
#endif
};

// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
#if CLUSTERED
// `empty` when every warp of the blocks to which this one copies has multiplied it.
#else
// `empty` when every warp that multiplies it has done so.
#endif
struct Ring {
    unsigned stages, full, empty;
    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(&shared))),
          full(stages + BARRIERS_OFFSET), empty(full + STAGES * 8) {}
};

// The place that follows those of the first `tiles` k-tiles, at most one for each stage. No stage
// has been filled before: each counts as left.
__device__ __forceinline__ Place place_after(int tiles) {
    return tiles == STAGES ? Place{0, 0} : Place{unsigned(tiles), 1};
}

#if CLUSTERED
// Initialises the barriers. Threads of the cluster access them after its barrier.
#else
// Initialises the barriers. The thread that calls this may use them at once, the others of the
// block after a barrier.
#endif
__device__ __forceinline__ void initialise(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full + stage * 8, FULL_ARRIVALS);
        mbarrier_init(ring.empty + stage * 8, EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}

// Lets a stage expect a k-tile.
__device__ __forceinline__ void expect(Ring ring, unsigned stage) {
    mbarrier_arrive_expect(ring.full + stage * 8, STAGE_BYTES);
}

// Waits until the consumers have left a stage, and lets it expect a k-tile.
__device__ __forceinline__ void reserve(Ring ring, Place place) {
#if CLUSTERED
    mbarrier_wait_cluster(ring.empty + place.stage * 8, place.parity);
#else
    mbarrier_wait(ring.empty + place.stage * 8, place.parity);
#endif
    expect(ring, place.stage);
}

// Copies a factor's part of the k-tile at `k0` to a stage.
template <class Tile>
__device__ __forceinline__ void copy_tile(
    Ring ring, unsigned stage, Block block, const typename Tile::Factor& operand, int k0) {
    const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;
    global_to_shared<Tile>(to, operand, block, k0, ring.full + stage * 8);
}

#if EARLY
// Requests the first tiles of a factor that the predecessor kernel does not write, at most one for
// each stage: none is in use yet. Returns their number.
template <class Tile>
__device__ __forceinline__ int start(
    Ring ring, Block block, const typename Tile::Factor& operand, int from, int k) {
    const int tiles = min(tiles_of(k), STAGES);
    for (int tile = 0; tile < tiles; ++tile) {
        expect(ring, tile);
        copy_tile<Tile>(ring, tile, block, operand, from + tile * BLK_K);
    }
    return tiles;
}

// Requests the other factor's part of the k-tiles that are `started`.
template <class Tile>
__device__ __forceinline__ void complete(
    Ring ring, Block block, const typename Tile::Factor& operand, int from, int started) {
    for (int tile = 0; tile < started; ++tile) {
        copy_tile<Tile>(ring, tile, block, operand, from + tile * BLK_K);
    }
}
#else
// Requests the first k-tiles, at most one for each stage: none is in use yet. Returns their number.
__device__ __forceinline__ int start(
    Ring ring, Block block, const TileA::Factor& a, const TileB::Factor& b, int from, int k) {
    const int tiles = min(tiles_of(k), STAGES);
    for (int tile = 0; tile < tiles; ++tile) {
        expect(ring, tile);
        copy_tile<TileA>(ring, tile, block, a, from + tile * BLK_K);
        copy_tile<TileB>(ring, tile, block, b, from + tile * BLK_K);
    }
    return tiles;
}
#endif

// The producer, one thread: brings the k-tiles of A and B, k from `from` on, to the stages that
// the consumers have left. The first `started` of them have been requested.
#if SERPENTINE
// In every second tile of the output from the last k-tile to the first: the last ones of the tile
// before are in L2.
#endif
__device__ __forceinline__ void produce(
    Ring ring, Place& place, Block block, const TileA::Factor& a, const TileB::Factor& b,
#if SERPENTINE
    int from, int k, int started, bool backwards) {
#else
    int from, int k, int started) {
#endif
    const int tiles = tiles_of(k);
    for (int tile = started; tile < tiles; ++tile, place.advance()) {
#if SERPENTINE
        const int k0 = from + (backwards ? tiles - 1 - tile : tile) * BLK_K;
#else
        const int k0 = from + tile * BLK_K;
#endif
        reserve(ring, place);
        copy_tile<TileA>(ring, place.stage, block, a, k0);
        copy_tile<TileB>(ring, place.stage, block, b, k0);
    }
}

#if CLUSTERED
// Waits until every stage has been left. Until then blocks of the cluster read what this one has
// copied to them, and arrive at its barriers.
__device__ __forceinline__ void drain(Ring ring, Place place) {
    for (int stage = 0; stage < STAGES; ++stage, place.advance()) {
        mbarrier_wait_cluster(ring.empty + place.stage * 8, place.parity);
    }
}

#endif
// For the compiler alone: a product in flight accesses its sums, so nothing else may move them.
__device__ __forceinline__ void pin(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
#if INTEGERS
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+r"(acc[i][j]) :: "memory");
#else
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+f"(acc[i][j]) :: "memory");
#endif
    }
}

// The same: what the sums were is not needed any more. Products that seem to depend on it, or on
// what any other instruction has set, are run one by one.
__device__ __forceinline__ void forget(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
#if INTEGERS
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "=r"(acc[i][j]));
#else
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "=f"(acc[i][j]));
#endif
    }
}

// Issues the products of the k-tile at `place`, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(Accumulators& acc, Ring ring, Place place, Warp warp) {
    const unsigned of_a = ring.stages + place.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full + place.stage * 8, place.parity);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            const int row = warp.m + i * MMA_M, at_k = step * MMA_K;
            const auto a = descriptor<TileA>(of_a + TileA::offset(row, at_k));
            const auto b = descriptor<TileB>(of_b + TileB::offset(warp.n, at_k));
            if (FIRST && step == 0) wgmma<false>(acc[i], a, b);
            else wgmma<true>(acc[i], a, b);
        }
    }
    wgmma_commit();
}

#if CLUSTERED
// Says that the warp has multiplied the k-tile of a stage, a lane to each block that fills the
// stage: those that multiply the same tile of A or of B.
__device__ __forceinline__ void leave(Ring ring, unsigned stage) {
    const unsigned lane = threadIdx.x % 32, rank = cluster_rank();
    const bool fills = lane % CLUSTER_M == rank % CLUSTER_M || lane / CLUSTER_M == rank / CLUSTER_M;
    if (lane < CLUSTER && fills) mbarrier_arrive_at(ring.empty + stage * 8, lane);
}
#else
// Says that the warp has multiplied the k-tile of a stage.
__device__ __forceinline__ void leave(Ring ring, unsigned stage) {
    if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.empty + stage * 8);
}
#endif

// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N). The products of a k-tile are in
// flight while the next one is waited for and issued; then its stage is left.
#if TURNS
// When all have been issued it is the turn of warpgroup `next`, if that is not -1: its products
// follow those in flight.
#endif
__device__ __forceinline__ void mainloop(
#if TURNS
    Accumulators& acc, Ring ring, Place& place, Warp warp, int k, int next) {
#else
    Accumulators& acc, Ring ring, Place& place, Warp warp, int k) {
#endif
    const int tiles = tiles_of(k);
    if (tiles == 0) {
#if TURNS
        if (next >= 0) give_turn(next);
#endif
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
            for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
        }
        return;
    }
    forget(acc);
    multiply<true>(acc, ring, place, warp);
    unsigned multiplied = place.stage;  // of the k-tile before
    place.advance();
    for (int tile = 1; tile < tiles; ++tile, place.advance()) {
        multiply<false>(acc, ring, place, warp);
        wgmma_wait<1>();
        leave(ring, multiplied);
        multiplied = place.stage;
    }
#if TURNS
    if (next >= 0) give_turn(next);
#endif
    wgmma_wait<0>();
    pin(acc);
#if LEAVES
    leave(ring, multiplied);
#endif
}
