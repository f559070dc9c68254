// Gives registers of the producer's to the consumers. (PTX ISA, setmaxnreg)
template <int REGISTERS>
__device__ __forceinline__ void fewer_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}
template <int REGISTERS>
__device__ __forceinline__ void more_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

// A place in the ring: a stage, and the parity of the phase that the next wait for it is for.
struct Place {
    unsigned stage, parity;
    __device__ __forceinline__ void advance() {
        if (++stage == STAGES) stage = 0, parity ^= 1;
    }
};

// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every consumer warp has multiplied it.
struct Ring {
    unsigned stages, full, empty;
    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(&shared))),
          full(stages + BARRIERS_OFFSET), empty(full + STAGES * 8) {}
};

// Initialises the barriers, before any thread waits for one.
__device__ __forceinline__ void initialise(Ring ring) {
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            mbarrier_init(ring.full + stage * 8, 1);
            mbarrier_init(ring.empty + stage * 8, CONSUMERS / 32);
        }
        mbarrier_init_fence();
    }
    __syncthreads();
}

// The producer, one thread: brings k-tiles of A and B, k from `from` on, to the stages that the
// consumers have left.
__device__ __forceinline__ void produce(
    Ring ring, Block block, const TensorMap& a, const TensorMap& b, int from, int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K;
    Place place = {0, 1};  // no stage has been filled: each counts as left
    for (int tile = 0; tile < tiles; ++tile, place.advance()) {
        const unsigned to = ring.stages + place.stage * STAGE_BYTES;
        const unsigned landed = ring.full + place.stage * 8;
        const int at_k = from + tile * BLK_K;
        mbarrier_wait(ring.empty + place.stage * 8, place.parity);
        mbarrier_arrive_expect(landed, STAGE_BYTES);
        global_to_shared<TileA>(to, a, block.m, at_k, landed);
        global_to_shared<TileB>(to + TileA::BYTES, b, block.n, at_k, landed);
    }
}

// The consumers: acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N). The products of a k-tile are in
// flight while the next one is waited for and issued; then its stage is left. The first product
// defines the sums: anything else that did would make ptxas run the products one by one.
__device__ __forceinline__ void mainloop(Accumulators& acc, Ring ring, Warp warp, int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K;
    Place place = {0, 0};
    unsigned multiplied = 0;  // the stage of the k-tile before
    if (tiles == 0) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
            for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
        }
        return;
    }
    for (int tile = 0; tile < tiles; ++tile, place.advance()) {
        const unsigned of_a = ring.stages + place.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
        mbarrier_wait(ring.full + place.stage * 8, place.parity);
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
#pragma unroll
            for (int i = 0; i < ATOMS_M; ++i) {
                const int row = warp.m + i * MMA_M, at_k = step * MMA_K;
                wgmma(acc[i], descriptor<TileA>(of_a + TileA::offset(row, at_k)),
                      descriptor<TileB>(of_b + TileB::offset(warp.n, at_k)),
                      tile > 0 || step > 0);
            }
        }
        wgmma_commit();
        wgmma_wait<1>();
        if (tile > 0 && threadIdx.x % 32 == 0) mbarrier_arrive(ring.empty + multiplied * 8);
        multiplied = place.stage;
    }
    wgmma_wait<0>();
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
#if INTEGERS
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+r"(acc[i][j]) :: "memory");
#else
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+f"(acc[i][j]) :: "memory");
#endif
    }
    consumers_sync();  // the epilogue stages where the ring is
}
