// wgmma_cluster, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 64],
//         warpgroups = [2, 1],
//         schedule = cooperative,
//         cluster = [2, 1],
//         mma     = m64n128k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_cluster(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_out = 16;

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
constexpr int CLUSTER_M = 2, CLUSTER_N = 1, CLUSTER = 2;  // blocks
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 128, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 64;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 131120;
static_assert(GROUPS_M * ATOMS_M * MMA_M == BLK_M, "warpgroups and atoms tile BLK_M");
static_assert(GROUPS_N * MMA_N == BLK_N, "warpgroups tile BLK_N");
static_assert(STEPS_K * MMA_K == BLK_K, "atoms tile BLK_K");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][SUMS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warpgroup { int m, n; };  // first row and column of its tile in the block's

// A matrix in global memory as the driver describes it to the copy unit: its address, its extents
// and the box that one copy moves. (CUDA Driver API, CUtensorMap)
struct alignas(64) TensorMap { unsigned long long opaque[16]; };

// The first element of a box.
struct Box { int col, row; };

// CuTe's Swizzle<B, M, S>: bits M + S .. M + S + B of an offset, in elements, are xored into bits
// M .. M + B.
template <int B, int M, int S>
struct Swizzle {
    static constexpr int SPAN = B == 0 ? 1 : 1 << (M + S + B);  // the pattern repeats after these
    static constexpr int CHANGED = 1 << (M + B);  // bits below this one change
    static __device__ __forceinline__ int bits(int offset) {
        return (offset & ((1 << B) - 1) << (M + S)) >> S;
    }
    // What is xored into the columns of a row, where a row has 2^(M + B) elements.
    static __device__ __forceinline__ int bits_of_row(int row) {
        return row / (1 << (S - B)) % (1 << B) * (1 << M);
    }
};

// A k-tile of a factor in shared memory, as the copy unit and wgmma have it: panels of 128 bytes of
// columns, each R rows, in which chunks of 16 bytes change places with the row. (CUDA Driver API,
// CU_TENSOR_MAP_SWIZZLE_128B; PTX ISA, Matrix descriptor format)
template <class T, int R, int C>
struct BoxTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C, PITCH = 128;  // bytes
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    static constexpr int BYTES = PANELS * PANEL_BYTES;
    static_assert(COLS % PANEL_COLS == 0 && ROWS <= 256, "panels are boxes");
};

// A, the operand `a`, in shared memory.
struct TileA : BoxTile<f16, BLK_M, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.m};
    }
    // Blocks of a cluster that multiply it, and how far apart their ranks are.
    static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
};

// B, the operand `b`, in shared memory.
struct TileB : BoxTile<f16, BLK_N, BLK_K> {
    static constexpr bool K_CONTIGUOUS = true;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.n};
    }
    static constexpr int SHARERS = CLUSTER_M, RANKS_APART = 1;  // the same
    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
};

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;

struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
constexpr unsigned STAGE_BYTES = sizeof(Stage);

struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
constexpr unsigned BARRIER_BYTES = sizeof(unsigned long long);

// Shared memory of a block. The epilogue stages while the ring is filled for the next tile.
struct Shared {
    Stage ring[STAGES];
    Staged staged[STAGED_ELEMENTS];
    Barriers barriers;
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

// The arrivals that complete a phase: at `full`, with the bytes of the boxes, of the thread
// that copies, at `empty` of a lane of each warp that multiplies the stage. The plan has enumerated
// the boxes that land and the threads that arrive.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = (CLUSTER_M + CLUSTER_N - 1) * GROUPS_M *
    GROUPS_N * 4;
constexpr unsigned BOXES_BYTES = TileA::BYTES + TileB::BYTES;
static_assert(BOXES_BYTES == 32768, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 16, "arrivals");

// The number of a block in its cluster. (PTX ISA, %cluster_ctarank)
__device__ __forceinline__ int cluster_rank() {
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// The barrier of all threads of a cluster that have not exited. Its arrival releases nothing, which
// would wait for global memory: a fence before it does. (PTX ISA, barrier.cluster)
__device__ __forceinline__ void cluster_meet() {
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// The place of a tile by its number. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
struct TileIndex { int m, n; };
__device__ __forceinline__ TileIndex in_strips(int number, int tiles_m, int tiles_n) {
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    return TileIndex{strip * RASTER + within % width, within / width};
}

// The part of the output that `tile` is. Tiles are those of clusters: each block of one computes
// its part.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / (CLUSTER_M * BLK_M) + 1;
    const int tiles_n = (n - 1) / (CLUSTER_N * BLK_N) + 1;
    const int of_m = cluster_rank() % CLUSTER_M * BLK_M, of_n = cluster_rank() / CLUSTER_M * BLK_N;
    const TileIndex at = in_strips(tile, tiles_m, tiles_n);
    return Block{CLUSTER_M * at.m * BLK_M + of_m, CLUSTER_N * at.n * BLK_N + of_n};
}

// The tiles of a block, or of a cluster's, as far apart as there are of these: it walks over them.
struct Tiles {
    int m, n;
    unsigned tile, count;
    __device__ __forceinline__ Tiles(int m, int n)
        : m(m), n(n), tile(blockIdx.x / CLUSTER),
          count(((m - 1) / (CLUSTER_M * BLK_M) + 1) * ((n - 1) / (CLUSTER_N * BLK_N) + 1)) {}
    // The first one, which every block has.
    __device__ __forceinline__ Block first() const { return raster(m, n, int(tile)); }
    __device__ __forceinline__ bool has_next() const { return tile < count; }
    // Leaves the next one out.
    __device__ __forceinline__ void advance() { tile += gridDim.x / CLUSTER; }
    // Takes the next one, if there is one.
    __device__ __forceinline__ bool next(Block& block) {
        if (!has_next()) return false;
        block = raster(m, n, int(tile));
        advance();
        return true;
    }
};

// The part of the block tile of a warpgroup. They are numbered along m first.
__device__ __forceinline__ Warpgroup warpgroup_of(int number) {
    return Warpgroup{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}

// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;

// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
constexpr int WARPGROUP_BARRIER = 2;  // of the first one
__device__ __forceinline__ void warpgroup_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(WARPGROUP_BARRIER + threadIdx.x / 128) : "memory");
}

// Waits until the predecessor kernel has completed and its writes are visible. Before sm_90 no
// kernel starts earlier. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
}

// Brings the description of a matrix to the cache of the copy unit. (PTX ISA, prefetch.tensormap)
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
}

// Orders what the copy unit, an async proxy, does next after all accesses to shared memory that
// this thread has made or observed. A barrier orders the generic proxy alone: without this the copy
// unit was measured to overwrite a stage whose loads had not completed although their warp had
// arrived. (PTX ISA, fence.proxy.async)
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Initialises a barrier whose phases complete with `count` arrivals and the expected bytes. (PTX
// ISA, mbarrier.init)
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(count) : "memory");
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

// Makes initialised barriers visible to the cluster and to the copy unit. (PTX ISA,
// fence.mbarrier_init)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    fence_proxy_async();
}

// Arrives at the barrier that has this address in the block of that rank. A plain arrival
// releases to the thread's own block alone. This fence releases to the cluster, and unlike one of
// the arrival it does not wait for accesses to global memory. (PTX ISA, mapa,
// fence.sync_restrict, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive_at(unsigned barrier, unsigned rank) {
    asm volatile("{\n\t.reg .b32 remote;\n\t"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
                 "fence.release.sync_restrict::shared::cta.cluster;\n\t"
                 "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [remote];\n\t}"
                 :: "r"(barrier), "r"(rank) : "memory");
}

// Waits until the phase of this parity has completed, at which threads of other blocks arrive too.
// This fence acquires what they did to shared memory, and unlike one of the wait it leaves L1 as it
// is. (PTX ISA, mbarrier.try_wait, fence.sync_restrict)
__device__ __forceinline__ void mbarrier_wait_cluster(unsigned barrier, unsigned parity) {
    int over;
    do {
        asm volatile("{\n\t.reg .pred over;\n\t"
                     "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 over, [%1], %2;\n\t"
                     "selp.s32 %0, 1, 0, over;\n\t}"
                     : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
    } while (!over);
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}

// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
    unsigned to, const TensorMap& operand, Box box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(barrier) : "memory");
}

// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
    unsigned to, const TensorMap& operand, Box box, unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(barrier), "h"(blocks)
                 : "memory");
}

// The number of this block among those of its cluster that multiply a tile.
template <class Tile>
__device__ __forceinline__ int part_of() {
    return cluster_rank() / Tile::RANKS_APART % Tile::SHARERS;
}

// The bits of all of them.
template <class Tile>
__device__ __forceinline__ unsigned short sharers() {
    constexpr int APART = Tile::RANKS_APART;
    constexpr int FROM_FIRST = ((1 << Tile::SHARERS * APART) - 1) / ((1 << APART) - 1);
    return FROM_FIRST << (cluster_rank() - part_of<Tile>() * APART);
}

// Of a tile that several blocks of a cluster multiply, each copies a part of the rows to all: where
// this block's part begins.
template <class Tile, class Box>
__device__ __forceinline__ void move_to_part(unsigned& to, Box& box) {
    if constexpr (Tile::SHARERS > 1) {
        constexpr int ROWS = Tile::ROWS / Tile::SHARERS;
        static_assert(ROWS * Tile::SHARERS == Tile::ROWS, "a part has whole rows");
        const int first = part_of<Tile>() * ROWS;
        to += first * Tile::PITCH, box.row += first;
    }
}

// Copies a box of it to all that multiply it.
template <class Tile, class Box>
__device__ __forceinline__ void copy_part(
    unsigned to, const TensorMap& operand, const Box& box, unsigned barrier) {
    if constexpr (Tile::SHARERS > 1) multicast_box(to, operand, box, barrier, sharers<Tile>());
    else copy_box(to, operand, box, barrier);
}

// Copies the tile of a block at k0 to shared memory; `barrier` counts the bytes.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const TensorMap& operand, Block block, int k0, unsigned barrier) {
    static_assert(Tile::COLS <= 256 && Tile::ROWS <= 256, "a tile is a box");
    auto box = Tile::box(block, k0);
    move_to_part<Tile>(to, box);
    copy_part<Tile>(to, operand, box, barrier);
}

// Offset of what an instruction reads from (mn, k) on: whole panels or rows, and k-steps.
template <class Tile>
__device__ __forceinline__ int instruction_offset(int mn, int k) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    if constexpr (!Tile::K_CONTIGUOUS) {
        return mn / Tile::PANEL_COLS * Tile::LEADING + k * Tile::PITCH;
    } else if constexpr (Tile::PANELS > 1) {
        return k / Tile::PANEL_COLS * Tile::PANEL_BYTES + mn * Tile::PITCH
               + k % Tile::PANEL_COLS * BYTES;
    } else {
        return mn * Tile::PITCH + k * BYTES;
    }
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
__device__ __forceinline__ void warpgroup_reg_dealloc() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}
template <int REGISTERS>
__device__ __forceinline__ void warpgroup_reg_alloc() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS));
}

// The k-tiles of a tile of the output.
__device__ __forceinline__ int k_tiles(int k) { return (k + BLK_K - 1) / BLK_K; }

// Of a pipeline of COUNT stages: the stage that comes next, and the parity of the phase of its
// barrier to wait for.
template <int COUNT>
struct PipelineState {
    unsigned stage, phase;
    __device__ __forceinline__ void advance() {
        if (++stage == COUNT) stage = 0, phase ^= 1;
    }
};

// The addresses of the ring and of its barriers: `full` completes when the stage has landed,
// `empty` when every warp that multiplies what this block has copied there has done so.
struct Ring {
    unsigned stages, full, empty;
    __device__ __forceinline__ explicit Ring(Shared& shared)
        : stages(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          full(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.full))),
          empty(static_cast<unsigned>(__cvta_generic_to_shared(shared.barriers.empty))) {}
    __device__ __forceinline__ unsigned full_barrier(unsigned stage) const {
        return full + stage * BARRIER_BYTES;
    }
    __device__ __forceinline__ unsigned empty_barrier(unsigned stage) const {
        return empty + stage * BARRIER_BYTES;
    }
};

typedef PipelineState<STAGES> RingState;

// The state after the first `tiles` k-tiles, at most one for each stage. No stage has been filled
// before: each counts as released.
__device__ __forceinline__ RingState state_after(int tiles) {
    return tiles == STAGES ? RingState{0, 0} : RingState{unsigned(tiles), 1};
}

// Initialises the barriers. Other threads may use them after a barrier of the block, or of the
// cluster.
__device__ __forceinline__ void init_barriers(Ring ring) {
    for (int stage = 0; stage < STAGES; ++stage) {
        mbarrier_init(ring.full_barrier(stage), FULL_ARRIVALS);
        mbarrier_init(ring.empty_barrier(stage), EMPTY_ARRIVALS);
    }
    mbarrier_init_fence();
}

// Waits until the consumers of all blocks that get a part of it have released a stage, and lets it
// expect a k-tile.
__device__ __forceinline__ void producer_acquire(Ring ring, RingState state) {
    mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
    mbarrier_arrive_expect(ring.full_barrier(state.stage), BOXES_BYTES);
}

// Waits until every stage has been released. Until then blocks of the cluster read what this one
// has copied to them, and arrive at its barriers.
__device__ __forceinline__ void producer_tail(Ring ring, RingState state) {
    for (int stage = 0; stage < STAGES; ++stage, state.advance()) {
        mbarrier_wait_cluster(ring.empty_barrier(state.stage), state.phase);
    }
}

// Copies a factor's part of the k-tile at `k0` to a stage.
template <class Tile>
__device__ __forceinline__ void copy_tile(
    Ring ring, unsigned stage, Block block, const typename Tile::Factor& operand, int k0) {
    const unsigned to = ring.stages + stage * STAGE_BYTES + Tile::STAGE_OFFSET;
    global_to_shared<Tile>(to, operand, block, k0, ring.full_barrier(stage));
}

// Requests the first k-tiles, at most one for each stage: none is in use yet. Returns their number.
__device__ __forceinline__ int start(
    Ring ring, Block block, const TileA::Factor& a, const TileB::Factor& b, int from, int k) {
    const int tiles = min(k_tiles(k), STAGES);
    for (int tile = 0; tile < tiles; ++tile) {
        mbarrier_arrive_expect(ring.full_barrier(tile), BOXES_BYTES);
        copy_tile<TileA>(ring, tile, block, a, from + tile * BLK_K);
        copy_tile<TileB>(ring, tile, block, b, from + tile * BLK_K);
    }
    return tiles;
}

// The producer, one thread: brings the k-tiles of both factors, k from `from` on, to the stages
// that the consumers have released. The first `started` of them have been requested.
__device__ __forceinline__ void produce(
    Ring ring, RingState& state, Block block, const TileA::Factor& a, const TileB::Factor& b,
    int from, int k, int started) {
    const int tiles = k_tiles(k);
    for (int tile = started; tile < tiles; ++tile, state.advance()) {
        const int k0 = from + tile * BLK_K;
        producer_acquire(ring, state);
        copy_tile<TileA>(ring, state.stage, block, a, k0);
        copy_tile<TileB>(ring, state.stage, block, b, k0);
    }
}

// For the compiler alone: products in flight access this sum, so nothing else may move it.
__device__ __forceinline__ void fence_operand(float& sum) {
    asm volatile("" : "+f"(sum) :: "memory");
}

// The same for a sum whose value is not needed any more.
__device__ __forceinline__ void discard_operand(float& sum) { asm volatile("" : "=f"(sum)); }

// Says that the warp has multiplied the k-tile of a stage, a lane to each block that fills the
// stage: those that multiply the same tile of A or of B.
__device__ __forceinline__ void consumer_release(Ring ring, unsigned stage) {
    const unsigned lane = threadIdx.x % 32, rank = cluster_rank();
    const bool fills = lane % CLUSTER_M == rank % CLUSTER_M || lane / CLUSTER_M == rank / CLUSTER_M;
    if (lane < CLUSTER && fills) mbarrier_arrive_at(ring.empty_barrier(stage), lane);
}

// Issues the products of a k-tile, when it has landed. The first one defines the sums.
template <bool FIRST>
__device__ __forceinline__ void multiply(
    Accumulators& acc, Ring ring, RingState state, Warpgroup warpgroup) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < STEPS_K; ++step) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            const int row = warpgroup.m + i * MMA_M, at_k = step * MMA_K;
            const auto a = descriptor<TileA>(of_a + instruction_offset<TileA>(row, at_k));
            const auto b = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, at_k));
            if (FIRST && step == 0) wgmma<false>(acc[i], a, b);
            else wgmma<true>(acc[i], a, b);
        }
    }
    wgmma_commit();
}

// Issues the products of all k-tiles, one at least. Those of a k-tile are in flight while the next
// one is waited for and issued; then its stage is released. Returns the stage of the last.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int tiles) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) discard_operand(acc[i][j]);
    }
    multiply<true>(acc, ring, state, warpgroup);
    unsigned multiplied = state.stage;  // of the k-tile before
    state.advance();
    for (int tile = 1; tile < tiles; ++tile, state.advance()) {
        multiply<false>(acc, ring, state, warpgroup);
        wgmma_wait<1>();
        consumer_release(ring, multiplied);
        multiplied = state.stage;
    }
    return multiplied;
}

// Waits for the products in flight.
__device__ __forceinline__ void wait_for_products(Accumulators& acc) {
    wgmma_wait<0>();
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) fence_operand(acc[i][j]);
    }
}

// The sums of no k-tile.
__device__ __forceinline__ void clear(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) acc[i][j] = 0;
    }
}

// The consumers: acc(BLK_M x BLK_N) = A(BLK_M x k) * B(k x BLK_N).
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int k) {
    const int tiles = k_tiles(k);
    if (tiles == 0) {
        clear(acc);
        return;
    }
    const unsigned last = multiply_all(acc, ring, state, warpgroup, tiles);
    wait_for_products(acc);
    consumer_release(ring, last);
}

__device__ __forceinline__ float body(const float acc) {
    return acc;
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

// The sums that the body takes of COUNT elements.
template <int COUNT> using Sums = Sum[COUNT];

// What the body reads beside the accumulator.
struct Values {
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int rows, int cols)
            const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i]);
        }
    }
};

// An output, whose rows are ALIGN bytes at least from one another.
template <class T, int ALIGN>
struct Output {
    T* to;
    long long ld;
    // Stores COUNT values of `row` from `col` on; the first `valid` lie inside.
    template <int COUNT, class Value>
    __device__ __forceinline__ void store(
        const Value (&values)[COUNT], int row, int col, int valid) const {
        ::store<ALIGN>(to + row * ld + col, values, valid);
    }
};

typedef Output<Out, ALIGN_out> Outputs;

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

// Issues the store of an epilogue tile to the part of the output from (row, col) on; what lies
// outside is left out. It is one group of the thread's. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void shared_to_global(
    const TensorMap& out, const Staged* tile, int row, int col) {
    const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 :: "l"(&out), "r"(col), "r"(row), "r"(from) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until at most N of the thread's latest groups have not read their epilogue tiles.
// (PTX ISA, cp.async.bulk.wait_group)
template <int N>
__device__ __forceinline__ void await_reads() {
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory");
}

// What is staged has been rounded.
__device__ __forceinline__ void from_value(Out& result, Out value) { result = value; }

// Index of an element in an epilogue tile, swizzled so that neither the stores nor the loads of a
// warp meet in a bank; a tile that the copy unit stores, as that has it. (CUDA Driver API,
// CU_TENSOR_MAP_SWIZZLE_128B)
__device__ __forceinline__ int in_epilogue_tile(int row, int col) {
    return row * EPILOGUE_COLS + (col ^ EpilogueSwizzle::bits_of_row(row));
}

// The first band of an atom in a pass. The last one ends with the atom, so that epilogue tiles are
// full: it may compute columns of the one before again.
__device__ __forceinline__ int first_band(int pass) {
    return min(pass % ATOM_PASSES * PASS_BANDS, STORED_N / 8 - PASS_BANDS);
}

// What a pass stores of a warpgroup's part of the output, which begins at (row0, col0): the place
// of the epilogue tile, and where that, or the part, ends.
struct EpilogueTile { int row, col, rows, cols; };
__device__ __forceinline__ EpilogueTile epilogue_tile(
    int pass, int row0, int col0, int rows, int cols) {
    const int row = row0 + pass / ATOM_PASSES * MMA_M, col = col0 + first_band(pass) * 8;
    return EpilogueTile{row, col, rows, min(cols, col0 + STORED_N)};
}

// Stages PASS_BANDS bands of 8 columns of an atom, as `put` makes elements of sums: a warp holds 16
// rows of it, a lane two neighbours along n of rows lane / 4 and lane / 4 + 8. (PTX ISA, Register
// fragments for wgmma, D)
template <class Put>
__device__ __forceinline__ void stage(
    Staged* staged, const Accumulators& acc, int pass, const Put& put) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = first_band(pass);
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            const int row = warp * 16 + lane / 4 + j * 4, col = band * 8 + lane % 4 * 2;
            __align__(16) Staged pair[2];
            put(pair, sums + j, row, col);
            typedef Word<2 * int(sizeof(Staged))>::Type Words;
            *reinterpret_cast<Words*>(staged + in_epilogue_tile(row, col)) =
                *reinterpret_cast<const Words*>(pair);
        }
    }
}

// COUNT neighbouring sums.
template <int COUNT>
__device__ __forceinline__ void take_sums(Sum (&taken)[COUNT], const Sum* sums) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) taken[i] = sums[i];
}

// What the body makes of sums, rounded. The epilogue tile is a part of the output.
struct PutResults {
    const Values& values;
    EpilogueTile tile;
    template <int COUNT>
    __device__ __forceinline__ void operator()(
        Staged (&elements)[COUNT], const Sum* sums, int row, int col) const {
        Sums<COUNT> taken;
        take_sums(taken, sums);
        Result results[COUNT];
        values.apply(results, taken, tile.row + row, tile.col + col, tile.rows, tile.cols);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) from_value(elements[i], results[i]);
    }
};

// OUT_VECTOR elements of a row that a thread stores: their place in an epilogue tile and in the
// output, and how many of them lie inside it.
struct Chunk { int staged, row, col, valid; };
__device__ __forceinline__ Chunk chunk_of(int number, EpilogueTile tile) {
    const int staged_row = number / ROW_CHUNKS, staged_col = number % ROW_CHUNKS * OUT_VECTOR;
    const int row = tile.row + staged_row, col = tile.col + staged_col;
    const bool inside = staged_row < EPILOGUE_ROWS && row < tile.rows && col < tile.cols;
    return Chunk{in_epilogue_tile(staged_row, staged_col), row, col,
                 inside ? min(OUT_VECTOR, tile.cols - col) : 0};
}

// Stores body(acc) to the warpgroup's part of the output, in PASSES passes. Each stages results in
// an epilogue tile. The copy unit stores it where rows are whole numbers of 16 bytes, in which it
// counts what lies inside; elsewhere each thread stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* staged, const Values& values, const Outputs& outputs,
    const TensorMap& map, int row0, int col0, int rows, int cols) {
    constexpr bool EVEN = PASSES % EPILOGUE_TILES == 0;  // the next tile begins with the first
    const bool boxes = OUT_VECTOR * int(sizeof(Out)) == 16 && cols % OUT_VECTOR == 0;
    const int thread = threadIdx.x % 128;
    staged += threadIdx.x / 128 * EPILOGUE_TILES * EPILOGUE_TILE;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0, rows, cols);
        Staged* const of_pass = staged + pass % EPILOGUE_TILES * EPILOGUE_TILE;
        if (boxes && thread == 0) {
            if (pass > 0 || EVEN) await_reads<EPILOGUE_TILES - 1>();
            else await_reads<0>();
        }
        if (boxes || pass == 0) warpgroup_sync();  // the epilogue tile has been read
        stage(of_pass, acc, pass, PutResults{values, tile});
        if (boxes) fence_proxy_async();
        warpgroup_sync();  // which also says that the tile before has been read
        if (boxes) {
            if (thread == 0) shared_to_global(map, of_pass, tile.row, tile.col);
            continue;
        }
#pragma unroll 4
        for (int number = thread; number < CHUNKS; number += 128) {
            const Chunk chunk = chunk_of(number, tile);
            if (chunk.valid == 0) continue;
            __align__(16) Staged results[OUT_VECTOR];
            fetch<16>(results, of_pass + chunk.staged, OUT_VECTOR);
            outputs.store(results, chunk.row, chunk.col, chunk.valid);
        }
    }
}

// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void
__cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1) wgmma_cluster_919a40adf56ff6de(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    cluster_meet();  // the barriers of all blocks are initialised
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, a, b, 0, k, started);
                started = 0;
            }
            producer_tail(ring, state);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, state, warpgroup, k);
        epilogue(acc, shared.staged, values, outputs, map_out, block.m + warpgroup.m, block.n +
            warpgroup.n, m, n);
    }
    if (threadIdx.x % 128 == 0) await_reads<0>();  // shared memory ends with the block
}
