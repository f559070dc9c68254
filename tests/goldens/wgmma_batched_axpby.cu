// wgmma_batched_axpby, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 160, 64],
//         warpgroups = [1, 1],
//         schedule = cooperative,
//         mma     = m64n160k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_batched_axpby(
//         a: Batched<bf16, B, M, K>,
//         b: Mat<bf16, N, K>,
//         residual: Mat<f32, M, N>,
//         beta: f32,
//         c: &mut Batched<f32, B, M, N>,
//     )
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// out is c; the block that writes an element is the only one to read it,
// and reads it before.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distances of its rows and matrices and, of
// A and B, the length of a row: 16, 8, 4 or 2. A launch that can promise less defines
// less.
#ifndef ALIGN_residual
#define ALIGN_residual 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif

// bfloat16, as stored: the upper half of a binary32. (PTX ISA, cvt)
struct bf16 { unsigned short bits; };
__device__ __forceinline__ float to_value(bf16 value) {
    return __uint_as_float(static_cast<unsigned>(value.bits) << 16);
}
__device__ __forceinline__ void from_value(bf16& result, float value) {
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
}

// IEEE binary32, as stored.
typedef float f32;
__device__ __forceinline__ float to_value(f32 value) { return value; }
__device__ __forceinline__ void from_value(f32& result, float value) { result = value; }

// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 160, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 160, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 80;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 135264;
static_assert(GROUPS_M * ATOMS_M * MMA_M == BLK_M, "warpgroups and atoms tile BLK_M");
static_assert(GROUPS_N * MMA_N == BLK_N, "warpgroups tile BLK_N");
static_assert(STEPS_K * MMA_K == BLK_K, "atoms tile BLK_K");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
struct Block { int batch, m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n; };  // first row and column of the tile of a warp's group in the block's

// A matrix, or a batch of them, in global memory as the driver describes it to the copy unit: its
// address, its extents and the box that one copy moves. (CUDA Driver API, CUtensorMap)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };

// The first element of a box.
struct Box { int col, row; };
struct BatchBox { int col, row, matrix; };

// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<3, 3, 3>.
struct TileA {
    typedef bf16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int STAGE_OFFSET = 0;
    static __device__ __forceinline__ BatchBox box(Block block, int k0) {
        return {k0, block.m, block.batch};
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
    typedef bf16 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
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
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 32;
constexpr int SLAB_UNIT = 4;  // elements that keep together
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int MATRICES = 2, PLACES = 3;  // with a slab for each that the body reads
constexpr int SLAB = SLAB_ROWS * SLAB_COLS, PLACE = MATRICES * SLAB;
constexpr int MOVERS = 1;  // warpgroups that store, each with a thread that moves slabs
constexpr int STAGED_ELEMENTS = MOVERS * PLACES * PLACE;

// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct SlabBarriers { unsigned long long fetched[MOVERS][PLACES], written[MOVERS][PLACES]; };
struct Shared {
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
    SlabBarriers slabs;
    Barriers barriers;
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);
constexpr unsigned BARRIERS_OFFSET = sizeof(Shared) - sizeof(Shared::barriers);
// The arrivals that complete a phase: at `full`, with the bytes of a stage, of the thread that
// copies, at `empty` of a lane of each warp that multiplies the stage.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = GROUPS_M * GROUPS_N * 4;
// The plan has enumerated the boxes that land in a stage and the threads that arrive.
static_assert(STAGE_BYTES == 28672, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");

// The part of the output that `tile` is. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
// The matrices of a batch follow each other.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
    const int number = tile % (tiles_m * tiles_n);  // within its matrix
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    Block block;
    block.batch = tile / (tiles_m * tiles_n);
    block.m = (strip * RASTER + within % width) * BLK_M;
    block.n = within / width * BLK_N;
    return block;
}

// The tiles of a block, as far apart as there are blocks: it walks over them.
struct Tiles {
    int m, n;
    unsigned tile, count;
    __device__ __forceinline__ Tiles(int m, int n, int matrices)
        : m(m), n(n), tile(blockIdx.x),
          count(((m - 1) / BLK_M + 1) * ((n - 1) / BLK_N + 1) * matrices) {}
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

// The part of the block tile of a warpgroup. They are numbered along m first.
__device__ __forceinline__ Warp warps_of(int number) {
    return Warp{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}
// That of the warp's group.
__device__ __forceinline__ Warp warps() { return warps_of(threadIdx.x / 128); }

// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;

// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
__device__ __forceinline__ void group_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(2 + threadIdx.x / 128) : "memory");
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

// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix),
                    "r"(barrier) : "memory");
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

// d(64x160) = a(64x16) * b(16x160), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[80], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %82, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n160k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79"
        "}, %80, %81, add, 1, 1, 0, 0;\n\t}"
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
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79])
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
    Ring ring, unsigned stage, Block block, const TensorMap& operand, int k0) {
    const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;
    global_to_shared<Tile>(to, operand, block, k0, ring.full + stage * 8);
}

// Requests the first k-tiles, at most one for each stage: none is in use yet. Returns their number.
__device__ __forceinline__ int start(
    Ring ring, Block block, const TensorMap& a, const TensorMap& b, int from, int k) {
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
    Ring ring, Place& place, Block block, const TensorMap& a, const TensorMap& b,
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
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, Place& place, Warp warp, int k) {
    const int tiles = tiles_of(k);
    if (tiles == 0) {
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
    wgmma_wait<0>();
    pin(acc);
    leave(ring, multiplied);
}

__device__ __forceinline__ float body(
        const float acc,
        const float residual,
        const float beta,
        const float c) {
    return acc + beta * c + residual;
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

// Brings COUNT consecutive elements of a matrix to a slab, read in words of at most ALIGN bytes;
// elements from `valid` on are not accessed and become zero.
template <int ALIGN, int COUNT, class T>
__device__ __forceinline__ void fetch_to_slab(void* slab, const T* from, int valid) {
    __align__(16) T elements[COUNT];
    fetch<ALIGN>(elements, from, valid);
    typedef typename Word<COUNT * int(sizeof(T))>::Type Words;
    *static_cast<Words*>(slab) = *reinterpret_cast<const Words*>(elements);
}

// What the body reads beside the accumulator.
struct Values {
    const f32* residual;
    long long ld_residual;
    float beta;
    const f32* out;
    long long ld_out;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in slabs, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], const Staged* at,
        int row, int col, int rows, int cols) const {
        float at_residual[COUNT];
        load<16>(at_residual, reinterpret_cast<const f32*>(at), COUNT);
        float at_out[COUNT];
        load<16>(at_out, reinterpret_cast<const f32*>(at + SLAB), COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_residual[i], beta, at_out[i]);
        }
    }
    // Brings COUNT elements of each matrix to its slab.
    template <int COUNT>
    __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {
        fetch_to_slab<ALIGN_residual, COUNT>(
            at, residual + row * ld_residual + col, valid);
        fetch_to_slab<ALIGN_out, COUNT>(
            at + SLAB, out + row * ld_out + col, valid);
    }
};

// Makes what the thread has stored in shared memory visible to the copy unit. (PTX ISA,
// fence.proxy)
__device__ __forceinline__ void fence_to_copies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Issues the store of a slab to the part of the output from (row, col) on; what lies outside is
// left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* slab, int matrix, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(slab));
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(matrix), "r"(from) : "memory");
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

// Applies the body to COUNT sums of `row` from `col` on, whose place in the first slab is `at`, and
// rounds the results.
template <int COUNT>
__device__ __forceinline__ void finish(
    Staged (&elements)[COUNT], const Sum (&sums)[COUNT], const Values& values,
    const Staged* at, int row, int col, int rows, int cols) {
    Result results[COUNT];
    values.apply(results, sums, at, row, col, rows, cols);
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
            const Staged* const at = slab + in_slab(row, col);
            finish(pair, of_row, values, at, row0 + row, col0 + col, rows, cols);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(slab + in_slab(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}

// Issues the copy of the part of a matrix from (row, col) on to a slab; `barrier` counts its bytes.
// Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_slab(
    const TensorMap& from, unsigned slab, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(slab), "l"(&from), "r"(col), "r"(row), "r"(barrier) : "memory");
}

// Issues the copy of the part of a matrix from (row, col) on to a slab; `barrier` counts its bytes.
// Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_slab(
    const TensorMap& from, unsigned slab, int matrix, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(slab), "l"(&from), "r"(col), "r"(row), "r"(matrix), "r"(barrier)
                 : "memory");
}

// Whether the copy unit moves slabs, which stores rows of whole multiples of 16 bytes; else the
// threads of their warpgroup do.
__device__ __forceinline__ bool are_moved(int cols) {
    return ALIGN_residual == 16 && ALIGN_out == 16 && cols % OUT_VECTOR == 0;
}

// What the body reads and the output, as the copy unit moves them.
struct Maps {
    const TensorMap &residual, &out;
    // Issues the copies of the part of each matrix from (row, col) on to a place.
    __device__ __forceinline__ void fetch(
        unsigned place, int matrix, int row, int col, unsigned barrier) const {
        global_to_slab(residual, place, row, col, barrier);
        global_to_slab(out, place + SLAB * sizeof(Staged), matrix, row, col, barrier);
    }
};

// The places of a warpgroup and their barriers: `fetched` completes when the copy unit has brought
// what the body reads, `written` when every warp has put its results there.
struct Slabs {
    Staged* places;
    unsigned fetched, written;
    __device__ __forceinline__ Slabs(Shared& shared, int group)
        : places(shared.staged + group * PLACES * PLACE),
          fetched(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.fetched[group]))),
          written(static_cast<unsigned>(__cvta_generic_to_shared(shared.slabs.written[group]))) {}
};

// One of them, and the parity of the phase that the next wait for it is for.
struct SlabPlace {
    unsigned number, parity;
    __device__ __forceinline__ void advance() {
        if (++number == PLACES) number = 0, parity ^= 1;
    }
};

// Initialises their barriers, by the first thread of the block. Others use them after a barrier.
__device__ __forceinline__ void initialise_slabs(Shared& shared) {
    if (threadIdx.x > 0) return;
    for (int group = 0; group < MOVERS; ++group) {
        const Slabs slabs(shared, group);
        for (int place = 0; place < PLACES; ++place) {
            mbarrier_init(slabs.fetched + place * 8, 1);
            mbarrier_init(slabs.written + place * 8, 128 / 32);
        }
    }
    mbarrier_init_fence();
}

// The warpgroup whose slabs the thread moves, or -1: the first threads of the warps after the one
// that fills the ring have one each.
__device__ __forceinline__ int group_moved() {
    const int group = int(threadIdx.x - CONSUMERS) / 32 - 1;
    return threadIdx.x % 32 == 0 && group < MOVERS ? group : -1;
}

// The part of the output in a pass, of a warpgroup's from (row0, col0) on: where it begins.
struct Part { int row, col; };
__device__ __forceinline__ Part part_of(int pass, int row0, int col0) {
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
    return Part{row0 + atom * MMA_M, col0 + band0 * 8};
}

// Has the copy unit bring what the body reads in a pass.
__device__ __forceinline__ void bring(
    const Slabs& slabs, unsigned place, const Maps& maps, int matrix, Part part) {
    const unsigned fetched = slabs.fetched + place * 8;
    const void* const at = slabs.places + place * PLACE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(fetched, PLACE * sizeof(Staged));
    maps.fetch(to, matrix, part.row, part.col, fetched);
}

// The mover of a warpgroup, one thread, for a part of the output from (row0, col0) on: has what the
// warpgroup has put into a place stored, and what the body reads PLACES passes later brought there.
__device__ __forceinline__ void move(
    const Slabs& slabs, SlabPlace& place, const Maps& maps, int matrix, int row0, int col0) {
#pragma unroll 1
    for (int pass = -PLACES; pass < PASSES; ++pass, place.advance()) {
        if (pass >= 0) {
            const auto [row, col] = part_of(pass, row0, col0);
            mbarrier_wait(slabs.written + place.number * 8, place.parity);
            shared_to_global(maps.out, slabs.places + place.number * PLACE, matrix, row, col);
            await_reads<0>();
        }
        const int next = pass + PLACES;
        if (next < PASSES) bring(slabs, place.number, maps, matrix, part_of(next, row0, col0));
    }
    place.parity ^= 1;  // it has gone round once more than the places were filled
}

// OUT_VECTOR elements of a row of a slab that a thread moves: their place in it and in the output,
// and how many of them lie inside that.
struct Chunk { int in_slab, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, Part part, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = SLAB_COLS / OUT_VECTOR;
    const int slab_row = number / CHUNKS_PER_ROW;
    const int slab_col = number % CHUNKS_PER_ROW * OUT_VECTOR;
    const int row = part.row + slab_row, col = part.col + slab_col;
    const int valid = row < rows ? min(max(cols - col, 0), OUT_VECTOR) : 0;
    return Chunk{in_slab(slab_row, slab_col), row, col, valid};
}

// Brings what the body reads where the copy unit does not.
__device__ __forceinline__ void fill(
    Staged* place, const Values& values, Part part, int rows, int cols) {
#pragma unroll 4
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [to, row, col, valid] = chunk_of(chunk, part, rows, cols);
        values.fill<OUT_VECTOR>(place + to, row, col, valid);
    }
}

// Stores results where the copy unit does not. A thread stores the elements that it has brought,
// one chunk after the other: sums leave few registers.
__device__ __forceinline__ void slab_to_global(
    Out* out, long long ld, const Staged* slab, Part part, int rows, int cols) {
#pragma unroll 1
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [from, row, col, valid] = chunk_of(chunk, part, rows, cols);
        if (valid == 0) continue;
        __align__(16) Staged results[OUT_VECTOR];
        fetch<16>(results, slab + from, OUT_VECTOR);
        store<ALIGN_out>(out + row * ld + col, results, valid);
    }
}

// Puts body(acc) into slabs, in PASSES passes, over what the body reads; the mover has them stored.
// Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, const Slabs& slabs, SlabPlace& place, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    const bool copied = are_moved(cols);
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass, place.advance()) {
        const Part part = part_of(pass, row0, col0);
        Staged* const slab = slabs.places + place.number * PLACE;
        if (copied) {
            mbarrier_wait(slabs.fetched + place.number * 8, place.parity);
        } else {
            fill(slab, values, part, rows, cols);
            group_sync();
        }
        stage(slab, acc, pass, values, part.row, part.col, rows, cols);
        if (copied) {
            fence_to_copies();
            __syncwarp();
            if (threadIdx.x % 32 == 0) mbarrier_arrive(slabs.written + place.number * 8);
        } else {
            group_sync();
            slab_to_global(out, ld, slab, part, rows, cols);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_batched_axpby_7fe6bf8c489b70e1(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f32* residual, long long ld_residual,
    const __grid_constant__ TensorMap map_residual,
    float beta,
    f32* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        initialise(ring);
    }
    initialise_slabs(shared);
    Tiles tiles(m, n, matrices);
    Block block;
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, a, b, 0, k, started);
                started = 0;
            }
        }
        const int group = group_moved();
        if (group >= 0 && are_moved(n)) {
            const Slabs slabs(shared, group);
            const Warp warp = warps_of(group);
            const Maps maps = {map_residual, map_out};
            SlabPlace place = {0, 1};  // nothing has been put there: each counts as stored
            while (tiles.next(block)) {
                move(slabs, place, maps, block.batch, block.m + warp.m, block.n + warp.n);
            }
        }
        return;
    }
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    const Slabs slabs(shared, threadIdx.x / 128);
    SlabPlace slab = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        const Values values = {residual, ld_residual, beta, out + block.batch * stride_out, ld_out};
        epilogue(acc, slabs, slab, values, out + block.batch * stride_out, ld_out, block.m + warp.m,
            block.n + warp.n, m, n);
    }
}
