// tensor, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [192, 256, 64],
//         warps   = [2, 4],
//         mma     = m16n8k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn tensor(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f16, M, N>
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

// The tiling: block > warp > mma.
constexpr int BLK_M = 192, BLK_N = 256, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 4, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 229440;
static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, "warps and atoms tile BLK_K");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

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

// A k-tile of a factor in shared memory: R rows of C elements, swizzled.
template <class T, int R, int C, class S>
struct RowTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr int LOW = COLS & -COLS;  // the largest power of two that divides COLS
    static constexpr int PERIOD = LOW < S::SPAN ? S::SPAN / LOW : 1;  // of the swizzle, in rows
    // Offset of an element from the start of a stage, in bytes. A swizzle that stays inside a row
    // xors the column alone: the compiler folds the rest into the instructions.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        if constexpr (COLS % S::CHANGED == 0) {
            return int(sizeof(Element)) * (row * COLS + (col ^ S::bits(linear)));
        } else {
            return int(sizeof(Element)) * (linear ^ S::bits(linear));
        }
    }
    // Offset of (row + rows, col), given that of (row, col): it spares the compiler the proof that
    // the swizzle repeats.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % PERIOD == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
};

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.m};
    }
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
    static __device__ __forceinline__ Box box(Block block, int k0) {
        return {k0, block.n};
    }
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
constexpr unsigned STAGE_BYTES = sizeof(Stage);

struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
constexpr unsigned BARRIER_BYTES = sizeof(unsigned long long);

// Shared memory of a block, with a ring for the warps at each place along k. The epilogue stages
// where the rings are, which are idle by then.
struct Shared {
    union {
        Stage rings[WARPS_K][STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
    Barriers barriers[WARPS_K];
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

// The arrivals that complete a phase: at `full`, with the bytes of the boxes, of the thread
// that copies, at `empty` of a lane of each warp that multiplies the stage. The plan has enumerated
// the boxes that land and the threads that arrive.
constexpr unsigned FULL_ARRIVALS = 1, EMPTY_ARRIVALS = WARPS_M * WARPS_N;
constexpr unsigned BOXES_BYTES = TileA::BYTES + TileB::BYTES;
static_assert(BOXES_BYTES == 57344, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");

// The place of a tile by its number. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
struct TileIndex { int m, n; };
__device__ __forceinline__ TileIndex in_strips(int number, int tiles_m, int tiles_n) {
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    return TileIndex{strip * RASTER + within % width, within / width};
}

// The part of the output that `tile` is.
__device__ __forceinline__ Block raster(int m, int n, int tile) {
    const int tiles_m = (m - 1) / BLK_M + 1, tiles_n = (n - 1) / BLK_N + 1;
    const TileIndex at = in_strips(tile, tiles_m, tiles_n);
    return Block{at.m * BLK_M, at.n * BLK_N};
}

// The warp's part of the block tile. Warps are numbered along m first.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 32;
    return Warp{number % WARPS_M * WARP_M, number / WARPS_M * WARP_N, 0};
}

// The threads that multiply and store, which are all of a block, and their barrier.
constexpr int CONSUMERS = THREADS;
__device__ __forceinline__ void consumers_sync() { __syncthreads(); }

// Waits until the predecessor kernel has completed and its writes are visible. Before sm_90 no
// kernel starts earlier. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
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

// Makes initialised barriers visible to the copy unit.
__device__ __forceinline__ void mbarrier_init_fence() { fence_proxy_async(); }

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
    static_assert(Tile::COLS <= 256 && Tile::ROWS <= 256, "a tile is a box");
    const auto box = Tile::box(block, k0);
    copy_box(to, operand, box, barrier);
}

// Loads 4 matrices of 8x8 b16; lanes 0-31 address their rows. (PTX ISA, ldmatrix)
template <class Tile>
__device__ __forceinline__ void ldmatrix_x4(unsigned* r, unsigned row) {
    if constexpr (Tile::TRANSPOSED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
    }
}

// Where matrix 0..4 of an x4 load begins. Its matrices are four consecutive registers: those of A
// run along m first, those of B along k first. (PTX ISA, Matrix Fragments for mma.m16n8k16)
template <class Tile>
__device__ __forceinline__ int matrix_mn(int matrix) {
    if constexpr (Tile::MATRICES_K == 1) return matrix * 8;
    else return (Tile::K_FIRST ? matrix / 2 : matrix % 2) * 8;
}
template <class Tile>
__device__ __forceinline__ int matrix_k(int matrix) {
    if constexpr (Tile::MATRICES_K == 1) return 0;
    else return (Tile::K_FIRST ? matrix % 2 : matrix / 2) * Tile::MATRIX_K;
}

// Offset in a stage of a lane's row for the first x4 load of a warp's fragments, the part at mn0 of
// the tile: row l % 8 of matrix l / 8 for lane l.
template <class Tile>
__device__ __forceinline__ unsigned lane_row(int mn0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    return Tile::offset(mn0 + matrix_mn<Tile>(matrix) + line, matrix_k<Tile>(matrix));
}

// One of the x4 loads of the k-step at k0: four registers, X4_MN elements along m (or n). `row` is
// the offset of the lane's row in shared memory.
// A k-step moves along the row to another chunk, by xor; what lies below is added, since the
// swizzle repeats every 8 rows.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned* fragments, unsigned row, int k0, int load) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    ldmatrix_x4<Tile>(fragments, (row ^ (k0 * BYTES)) + load * Tile::X4_MN * Tile::PITCH);
}

// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(float (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), k from `from` on. The warps at one place along
// k are a group: they multiply WARP_K of each BLK_K, through a ring of their own that the copy unit
// fills STAGES - 1 stages ahead. Each stage has two barriers: `full` completes when the stage has
// landed, `empty` when every warp of the group has loaded from it. Warps synchronise only through
// the stage being refilled.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
    const TileA::Factor& a, const TileB::Factor& b, int from, int k) {
    constexpr int LOADS_A = TileA::REGISTERS / 4, LOADS_B = TileB::REGISTERS / 4;  // of a k-step
    constexpr int AHEAD = (LOADS_A < 4 ? LOADS_A : 4) - 1;  // loads of A in flight
    constexpr int ATOMS_OF_LOAD = 4 / A_REGISTERS, WARPS = WARPS_M * WARPS_N;  // of a group
    static_assert(LOADS_A * STEPS_K % (AHEAD + 1) == 0, "each k-tile starts from fragments 0");
    const int group = warp.k / WARP_K, thread = int(threadIdx.x) - group * WARPS * 32;
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared.rings[group]));
    const Barriers& barriers = shared.barriers[group];
    const unsigned full = static_cast<unsigned>(__cvta_generic_to_shared(barriers.full));
    const unsigned empty = static_cast<unsigned>(__cvta_generic_to_shared(barriers.empty));
    const int tiles = (k + BLK_K - 1) / BLK_K;
    if (tiles == 0) return;  // a matrix without columns has no tensor map

    const auto copy = [&](int tile, unsigned stage) {
        const unsigned to = ring + stage * STAGE_BYTES, landed = full + stage * BARRIER_BYTES;
        const int at_k = from + tile * BLK_K + warp.k;
        mbarrier_arrive_expect(landed, BOXES_BYTES);
        global_to_shared<TileA>(to, a, block, at_k, landed);
        global_to_shared<TileB>(to + TileB::STAGE_OFFSET, b, block, at_k, landed);
    };
    // One k-tile past the end of k is copied too, for the loads that run ahead.
    if (thread == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            mbarrier_init(full + stage * BARRIER_BYTES, FULL_ARRIVALS);
            mbarrier_init(empty + stage * BARRIER_BYTES, EMPTY_ARRIVALS);
        }
        mbarrier_init_fence();
        for (int tile = 0; tile < min(STAGES - 1, tiles + 1); ++tile) copy(tile, tile);
    }
    __syncthreads();

    // The stage being read and the parity of the phase that fills it; the same for the next
    // k-tile, and whether that one has landed.
    unsigned read = 0, filled = 0, next_read = 0, next_filled = 0;
    bool has_landed = false;
    mbarrier_wait(full, filled);
    unsigned lane_a = lane_row<TileA>(warp.m);
    unsigned lane_b = TileA::BYTES + lane_row<TileB>(warp.n);
    // Opaque to the compiler, so that it does not rematerialise them per k-tile.
    asm volatile("" : "+r"(lane_a), "+r"(lane_b));
    unsigned row_a = ring + lane_a, row_b = ring + lane_b;

    // Fragments of two k-steps of B, and of AHEAD loads of A besides the one in use.
    unsigned fragments_a[AHEAD + 1][4], fragments_b[2][TileB::REGISTERS];
#pragma unroll
    for (int load = 0; load < LOADS_B; ++load) {
        shared_to_register<TileB>(&fragments_b[0][load * 4], row_b, 0, load);
    }
#pragma unroll
    for (int load = 0; load < AHEAD; ++load) {
        shared_to_register<TileA>(fragments_a[load], row_a, 0, load);
    }
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            const bool last = step == STEPS_K - 1;
            const int next = (step + 1) % 2, next_k = (step + 1) % STEPS_K * MMA_K;
#pragma unroll
            for (int load = 0; load < LOADS_A; ++load) {
                // Asked one load before the next k-tile is needed: the products hide the latency.
                if (last && load == LOADS_A - AHEAD - 1) {
                    next_read = read + 1 == STAGES ? 0 : read + 1;
                    next_filled = next_read == 0 ? filled ^ 1 : filled;
                    has_landed = mbarrier_try_wait(full + next_read * BARRIER_BYTES, next_filled);
                }
                if (last && load == LOADS_A - AHEAD) {
                    // From here on the loads are the next k-tile's.
                    if (threadIdx.x % 32 == 0) mbarrier_arrive(empty + read * BARRIER_BYTES);
                    read = next_read, filled = next_filled;
                    if (!has_landed) mbarrier_wait(full + read * BARRIER_BYTES, filled);
                    row_a = ring + read * STAGE_BYTES + lane_a;
                    row_b = ring + read * STAGE_BYTES + lane_b;
                }
                const int ahead = load + AHEAD, number = step * LOADS_A + load;
                shared_to_register<TileA>(
                    fragments_a[(number + AHEAD) % (AHEAD + 1)], row_a,
                    ahead < LOADS_A ? step * MMA_K : next_k, ahead % LOADS_A);
                // B of the next k-step, spread over the loads of A from the same k-tile.
                const int shares = last ? AHEAD : LOADS_A;
                const int share = load - (LOADS_A - shares);
#pragma unroll
                for (int of_b = 0; of_b < LOADS_B; ++of_b) {
                    if (of_b * shares / LOADS_B != share) continue;
                    shared_to_register<TileB>(&fragments_b[next][of_b * 4], row_b, next_k, of_b);
                }
                // Refills the stage that the previous k-tile was read from. The warps issue the
                // copies in turn, so that none of them is always late.
                if (step == 0 && load == 1 && thread == tile % WARPS * 32
                        && tile + STAGES - 1 <= tiles) {
                    const unsigned write = read == 0 ? STAGES - 1 : read - 1;
                    mbarrier_wait(empty + write * BARRIER_BYTES, read == 0 ? filled ^ 1 : filled);
                    fence_proxy_async();
                    copy(tile + STAGES - 1, write);
                }
                const auto& factors_a = fragments_a[number % (AHEAD + 1)];
#pragma unroll
                for (int i = 0; i < ATOMS_OF_LOAD; ++i) {
#pragma unroll
                    for (int j = 0; j < ATOMS_N; ++j) {
                        mma_atom(acc[load * ATOMS_OF_LOAD + i][j], &factors_a[i * A_REGISTERS],
                                 &fragments_b[step % 2][j * B_REGISTERS]);
                    }
                }
            }
        }
    }
    __syncthreads();
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
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
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

// The two neighbours along n that a lane holds of row lane / 4 of an atom (band 0), or of the row
// 8 below (band 1). (PTX ISA, Matrix Fragments for mma.*, C)
struct alignas(2 * sizeof(Sum)) Pair { Sum first, second; };
__device__ __forceinline__ Pair pair(const Sum (&c)[C_REGISTERS], int band) {
    return Pair{c[2 * band], c[2 * band + 1]};
}

// Stages PASS_ATOMS rows of atoms of every warp: a lane holds two neighbours along n.
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const int lane = threadIdx.x % 32;
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + lane / 4, col0 = warp.n + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < PASS_ATOMS; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            Sum* const to = staged + (row0 + i * MMA_M) * STAGED_PITCH + col0 + j * MMA_N;
#pragma unroll
            for (int band = 0; band < MMA_M / 8; ++band) {
                *reinterpret_cast<Pair*>(to + band * 8 * STAGED_PITCH) =
                    pair(acc[pass * PASS_ATOMS + i][j], band);
            }
        }
    }
}

// Loads COUNT staged sums of a row from `col` on.
template <int COUNT>
__device__ __forceinline__ void load_staged(Sum (&sums)[COUNT], const Sum* row, int col) {
    load<16>(sums, row + col, COUNT);
}

// Loads COUNT sums of a staged row from `col` on, those of all WARPS_K added up.
template <int COUNT>
__device__ __forceinline__ void load_sums(Sum (&sums)[COUNT], const Sum* row, int col) {
    load_staged(sums, row, col);
#pragma unroll
    for (int other = 1; other < WARPS_K; ++other) {
        Sum more[COUNT];
        load_staged(more, row + other * STAGED_SUMS, col);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) sums[i] += more[i];
    }
}

// Stores body(acc) to the block's part of each output, in PASSES passes. A pass is staged in shared
// memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows STAGED_PITCH apart), so that
// each thread then stores OUT_VECTOR elements of one row. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int chunk = threadIdx.x; chunk < STAGED_ROWS * ROW_CHUNKS; chunk += CONSUMERS) {
            const int staged_row = chunk / ROW_CHUNKS, in_row = chunk % ROW_CHUNKS * OUT_VECTOR;
            const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                          + pass * PASS_ROWS + staged_row % PASS_ROWS;
            const int col = col0 + in_row;
            if (row >= rows || col >= cols) continue;
            const int valid = min(OUT_VECTOR, cols - col);
            Sums<OUT_VECTOR> sums;
            load_sums(sums, staged + staged_row * STAGED_PITCH, in_row);
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            outputs.store(results, row, col, valid);
        }
    }
}

// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) tensor_2d23c4c4dafe9dc7(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    f16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    mainloop(acc, shared, block, warp, a, b, 0, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
