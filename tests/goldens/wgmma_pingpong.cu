// wgmma_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_pingpong(
//         a: Mat<f16, M, K>,
//         b: Mat<f16, N, K>,
//         bias: Vector<f16, N>,
//     ) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_out
#define ALIGN_out 16
#endif

// IEEE binary16, as stored. (PTX ISA, cvt)
struct f16 { unsigned short bits; };
__device__ __forceinline__ float to_value(f16 value) {
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
    return result;
}
__device__ __forceinline__ void from_value(f16& result, float value) {
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
}

// IEEE binary32, as stored.
typedef float f32;
__device__ __forceinline__ float to_value(f32 value) { return value; }
__device__ __forceinline__ void from_value(f32& result, float value) { result = value; }

// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 163904;
static_assert(GROUPS_M * ATOMS_M * MMA_M == BLK_M, "warpgroups and atoms tile BLK_M");
static_assert(GROUPS_N * MMA_N == BLK_N, "warpgroups tile BLK_N");
static_assert(STEPS_K * MMA_K == BLK_K, "atoms tile BLK_K");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n; };  // first row and column of the tile of a warp's group in the block's

// A matrix in global memory as the driver describes it to the copy unit: its address, its extents
// and the box that one copy moves. (CUDA Driver API, CUtensorMap)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };

// The first element of a box.
struct Box { int col, row; };

// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.m};
    }
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
    // Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
    static __device__ __forceinline__ int offset(int mn, int k) {
        return mn * PITCH + k * int(sizeof(Element));
    }
};
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.n};
    }
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
    // Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
    static __device__ __forceinline__ int offset(int mn, int k) {
        return mn * PITCH + k * int(sizeof(Element));
    }
};
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 64, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct Shared {
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
    Barriers barriers;
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = GROUPS_M * GROUPS_N * 4;
// The plan has enumerated the boxes that land in a stage and the threads that arrive.
static_assert(STAGE_BYTES == 32768, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");

// The part of the output that `tile` is. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
    const int number = tile;
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    Block block;
    block.m = (strip * RASTER + within % width) * BLK_M;
    block.n = within / width * BLK_N;
    return block;
}

// The tiles of a block, as far apart as there are blocks: it walks over them.
struct Tiles {
    int m, n;
    unsigned tile, count;
    __device__ __forceinline__ Tiles(int m, int n)
        : m(m), n(n), tile(blockIdx.x), count(((m - 1) / BLK_M + 1) * ((n - 1) / BLK_N + 1)) {}
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, int(tile)); }
    // Whether there is a next one.
    __device__ __forceinline__ bool left() const { return tile < count; }
    // Leaves it out.
    __device__ __forceinline__ void skip() { tile += gridDim.x; }
    // Takes it, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!left()) return false;
        block = raster(m, n, int(tile));
        skip();
        return true;
    }
};

// The part of the block tile of the warp's group. Warpgroups are numbered along m first.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 128;
    return Warp{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}

// The threads that multiply and store: two warpgroups, the first of a block, which take turns.
constexpr int CONSUMERS = 2 * 128;

// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
__device__ __forceinline__ void group_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(2 + threadIdx.x / 128) : "memory");
}

// The turns of the two warpgroups, a barrier each, at which one waits for the other to arrive. One
// waits for a stage only when the other has waited for all before: parity tells a phase from the
// next one alone. (PTX ISA, bar)
__device__ __forceinline__ void await_turn(int group) {
    asm volatile("bar.sync %0, %1;" :: "r"(5 + group), "n"(CONSUMERS) : "memory");
}
__device__ __forceinline__ void give_turn(int group) {
    asm volatile("bar.arrive %0, %1;" :: "r"(5 + group), "n"(CONSUMERS) : "memory");
}

// Brings the description of a matrix to the cache of the copy unit. (PTX ISA, prefetch.tensormap)
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
}

// Initialises a barrier whose phases complete with `count` arrivals and the expected bytes. (PTX
// ISA, mbarrier.init)
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(count) : "memory");
}

// Makes initialised barriers visible to the copy unit. (PTX ISA, fence.proxy)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Arrives. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(barrier) : "memory");
}

// Arrives, and adds `bytes` of copies to what completes the phase. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 :: "r"(barrier), "r"(bytes) : "memory");
}

// Whether the phase of this parity has completed; may wait for a limited time. Phases have parity
// 0, 1, 0, ..; before the first one completes, parity 1 counts as completed.
// (PTX ISA, mbarrier.try_wait)
__device__ __forceinline__ bool mbarrier_try_wait(unsigned barrier, unsigned parity) {
    int over;
    asm volatile("{\n\t.reg .pred over;\n\t"
                 "mbarrier.try_wait.parity.shared.b64 over, [%1], %2;\n\t"
                 "selp.s32 %0, 1, 0, over;\n\t}"
                 : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
    return over;
}

// Waits until the phase of this parity has completed.
__device__ __forceinline__ void mbarrier_wait(unsigned barrier, unsigned parity) {
    while (!mbarrier_try_wait(barrier, parity)) {}
}

// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
    unsigned to, const TensorMap& operand, Box box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(barrier) : "memory");
}

// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    auto box = Tile::box(block, k0);
    copy_box(to, operand, box, barrier);
}

// The descriptor of what an instruction reads from `address` on: start, leading and stride distance
// in units of 16 bytes, and the swizzle of 128 bytes. (PTX ISA, Matrix descriptor format)
template <class Tile>
__device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    constexpr unsigned long long DISTANCES =
        1ull << 62 | static_cast<unsigned long long>(Tile::STRIDE / 16) << 32
                   | static_cast<unsigned long long>(Tile::LEADING / 16) << 16;
    return DISTANCES | (address & 0x3ffff) / 16;
}

// Orders the products issued next after accesses to their accumulators. (PTX ISA, wgmma.fence)
__device__ __forceinline__ void wgmma_fence() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Closes a group of the products issued so far. (PTX ISA, wgmma.commit_group)
__device__ __forceinline__ void wgmma_commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most N of the latest groups have not completed. (PTX ISA, wgmma.wait_group)
template <int N>
__device__ __forceinline__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");
}

// d(64x128) = a(64x16) * b(16x128), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[64], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %66, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, add, 1, 1, 0, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),
          "+f"(d[62]), "+f"(d[63])
        : "l"(a), "l"(b), "n"(int(ADD)));
}

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
    // Leaves out the k-tiles of the other warpgroup.
    __device__ __forceinline__ void skip(int tiles) {
        const unsigned to = stage + tiles;
        stage = to % STAGES, parity ^= to / STAGES & 1;
    }
};

// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every warp that multiplies it has done so.
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

// Initialises the barriers. The thread that calls this may use them at once, the others of the
// block after a barrier.
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
    mbarrier_wait(ring.empty + place.stage * 8, place.parity);
    expect(ring, place.stage);
}

// Copies a factor's part of the k-tile at `k0` to a stage.
template <class Tile>
__device__ __forceinline__ void copy_tile(
    Ring ring, unsigned stage, Block block, const typename Tile::Factor& operand, int k0) {
    const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;
    global_to_shared<Tile>(to, operand, block, k0, ring.full + stage * 8);
}

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

// The producer, one thread: brings the k-tiles of A and B, k from `from` on, to the stages that
// the consumers have left. The first `started` of them have been requested.
__device__ __forceinline__ void produce(
    Ring ring, Place& place, Block block, const TileA::Factor& a, const TileB::Factor& b,
    int from, int k, int started) {
    const int tiles = tiles_of(k);
    for (int tile = started; tile < tiles; ++tile, place.advance()) {
        const int k0 = from + tile * BLK_K;
        reserve(ring, place);
        copy_tile<TileA>(ring, place.stage, block, a, k0);
        copy_tile<TileB>(ring, place.stage, block, b, k0);
    }
}

// For the compiler alone: a product in flight accesses its sums, so nothing else may move them.
__device__ __forceinline__ void pin(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+f"(acc[i][j]) :: "memory");
    }
}

// The same: what the sums were is not needed any more. Products that seem to depend on it, or on
// what any other instruction has set, are run one by one.
__device__ __forceinline__ void forget(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "=f"(acc[i][j]));
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

// Says that the warp has multiplied the k-tile of a stage.
__device__ __forceinline__ void leave(Ring ring, unsigned stage) {
    if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.empty + stage * 8);
}

// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N). The products of a k-tile are in
// flight while the next one is waited for and issued; then its stage is left.
// When all have been issued it is the turn of warpgroup `next`, if that is not -1: its products
// follow those in flight.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, Place& place, Warp warp, int k, int next) {
    const int tiles = tiles_of(k);
    if (tiles == 0) {
        if (next >= 0) give_turn(next);
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
    if (next >= 0) give_turn(next);
    wgmma_wait<0>();
    pin(acc);
    leave(ring, multiplied);
}

// x * sigmoid(v), for an x of the sign of v. The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float times_sigmoid(const float x, const float v) {
    // As sigmoid, for results that are stored in 16 bits. (PTX ISA, ex2 and rcp)
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * v));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return fmaxf(x, -3.4028235e38f) * result;
}

// x * sigmoid(x).
__device__ __forceinline__ float silu(const float x) {
    return times_sigmoid(x, x);
}

__device__ __forceinline__ float body(const float acc, const float bias) {
    return silu(acc + bias);
}

// The word that moves BYTES bytes at once.
template <int BYTES> struct Word;
template <> struct Word<1> { typedef unsigned char Type; };
template <> struct Word<2> { typedef unsigned short Type; };
template <> struct Word<4> { typedef unsigned Type; };
template <> struct Word<8> { typedef uint2 Type; };
template <> struct Word<16> { typedef uint4 Type; };

// Loads COUNT consecutive elements as the body's values, in words of at most ALIGN bytes; elements
// from `valid` on are not accessed and read as zero.
template <int ALIGN, int COUNT, class Value, class T>
__device__ __forceinline__ void load(Value (&values)[COUNT], const T* from, int valid) {
    constexpr int BYTES = COUNT * int(sizeof(T)), WORD = ALIGN < BYTES ? ALIGN : BYTES;
    typedef typename Word<WORD>::Type Words;
    if (valid == COUNT) {
        __align__(16) T elements[COUNT];
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = reinterpret_cast<const Words*>(from)[i];
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i) values[i] = to_value(elements[i]);
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) values[i] = i < valid ? to_value(from[i]) : Value(0);
    }
}

// Rounds and stores COUNT consecutive elements, in words of at most ALIGN bytes; elements from
// `valid` on are not accessed.
template <int ALIGN, int COUNT, class Value, class T>
__device__ __forceinline__ void store(T* to, const Value (&values)[COUNT], int valid) {
    constexpr int BYTES = COUNT * int(sizeof(T)), WORD = ALIGN < BYTES ? ALIGN : BYTES;
    typedef typename Word<WORD>::Type Words;
    __align__(16) T elements[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], values[i]);
    if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(to)[i] = reinterpret_cast<const Words*>(elements)[i];
        }
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            if (i < valid) to[i] = elements[i];
        }
    }
}

// What the body reads beside the accumulator.
struct Values {
    const f16* bias;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int rows, int cols) const {
        float at_bias[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            at_bias[i] = col + i < cols ? to_value(bias[col + i]) : float(0);
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i]);
        }
    }
};

// Loads COUNT consecutive elements without conversion, in words of at most ALIGN bytes; elements
// from `valid` on are not accessed and read as zero.
template <int ALIGN, int COUNT, class T>
__device__ __forceinline__ void fetch(T (&elements)[COUNT], const T* from, int valid) {
    constexpr int BYTES = COUNT * int(sizeof(T)), WORD = ALIGN < BYTES ? ALIGN : BYTES;
    typedef typename Word<WORD>::Type Words;
    if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = reinterpret_cast<const Words*>(from)[i];
        }
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) elements[i] = i < valid ? from[i] : T();
    }
}

// Makes what the thread has stored in shared memory visible to the copy unit. (PTX ISA,
// fence.proxy)
__device__ __forceinline__ void fence_to_copies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Issues the store of a slab to the part of the output from (row, col) on; what lies outside is
// left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* slab, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(slab));
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until at most N of the thread's latest groups have not read their slabs.
// (PTX ISA, cp.async.bulk.wait_group)
template <int N>
__device__ __forceinline__ void await_reads() {
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory");
}

// Index of an element in a slab: units of SLAB_UNIT elements, 16 bytes, change places within their
// row as the copy unit has them. (CUDA Driver API, CU_TENSOR_MAP_SWIZZLE_128B)
__device__ __forceinline__ int in_slab(int row, int col) {
    constexpr int UNITS = SLAB_COLS / SLAB_UNIT;
    return row * SLAB_COLS + (col ^ row % UNITS * SLAB_UNIT);
}

// What is staged has been rounded.
__device__ __forceinline__ void from_value(Out& result, Out value) { result = value; }

// Applies the body to COUNT sums of `row` from `col` on, and rounds the results.
template <int COUNT>
__device__ __forceinline__ void finish(
    Staged (&elements)[COUNT], const Sum (&sums)[COUNT], const Values& values,
    int row, int col, int rows, int cols) {
    Result results[COUNT];
    values.apply(results, sums, row, col, rows, cols);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
}

// The first band of an atom in a pass. The last one ends with the atom, so that slabs are full: it
// may compute columns of the one before again.
__device__ __forceinline__ int first_band(int pass) {
    return min(pass % ATOM_PASSES * PASS_BANDS, STORED_N / 8 - PASS_BANDS);
}

// Stages PASS_BANDS bands of 8 columns of an atom: a warp holds 16 rows of it, a lane two
// neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register fragments for wgmma, D)
// The slab is the part of the output from row0 and col0 on.
__device__ __forceinline__ void stage(
    Staged* slab, const Accumulators& acc, int pass, const Values& values,
    int row0, int col0, int rows, int cols) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = of_group * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            const Sum of_row[2] = {sums[j], sums[j + 1]};
            finish(pair, of_row, values, row0 + row, col0 + col, rows, cols);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}

// OUT_VECTOR elements of a row that a thread stores: their place in a slab and in the output, and
// how many of them lie inside it.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = row0 + slab_row, col = col0 + slab_col;
    const bool inside = slab_row < SLAB_ROWS && row < rows && col < cols;
    return Chunk{in_slab(slab_row, slab_col), row, col, inside ? min(OUT_VECTOR, cols - col) : 0};
}

// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as results. The copy unit stores it where rows are whole numbers of 16
// bytes, in which it counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of
// one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, const TensorMap& map, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    const bool boxes = ALIGN_out == 16 && cols % OUT_VECTOR == 0;
    constexpr bool EVEN = PASSES % SLABS == 0;  // the next tile begins with the first slab
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
        const int first_row = row0 + atom * MMA_M, first_col = col0 + band0 * 8;
        const int last_row = rows, last_col = min(cols, col0 + STORED_N);
        Staged* const slab = slabs + pass % SLABS * SLAB;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<SLABS - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) group_sync();  // the slab has been read
        stage(slab, acc, pass, values, first_row, first_col, last_row, last_col);
        if (boxes) fence_to_copies();
        group_sync();  // which also says that the slab before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, slab, first_row, first_col);
            continue;
        }
#pragma unroll 4
        for (int chunk = thread; chunk < CHUNKS; chunk += 128) {
            const auto [from, row, col, valid] =
                chunk_of(chunk, first_row, first_col, last_row, last_col);
            if (valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, slab + from, OUT_VECTOR);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_pingpong_a8efa23a01fd87da(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f16* bias,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        initialise(ring);
    }
    Tiles tiles(m, n);
    Block block;
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, a, b, 0, k, started);
                started = 0;
            }
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    const Values values = {bias};
    Accumulators acc;
    Place place = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        give_turn(0);
        tiles.skip(), place.skip(tiles_of(k));
    }
    while (tiles.next(block)) {
        await_turn(group);
        mainloop(acc, ring, place, warp, k, tiles.left() ? 1 - group : -1);
        epilogue(acc, shared.staged, values, out, ld_out, map_out, block.m + warp.m, block.n +
            warp.n, m, n);
        tiles.skip(), place.skip(tiles_of(k));  // which the other has
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
