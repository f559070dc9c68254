// split_fma_doubles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [12, 24, 8],
//         warps   = [1, 1],
//         mma     = fma(3, 3),
//         copy    = ld_global(8),
//         swizzle(a = [0, 1, 1], b = [2, 1, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_75, sm_80],
//         allow(bank_conflicts),
//     )]
//     fn split_fma_doubles(a: Mat<f64, K, M>, b: Mat<f64, N, K>) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.

// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif

// IEEE binary64, as stored.
typedef double f64;
__device__ __forceinline__ double to_value(f64 value) { return value; }
__device__ __forceinline__ void from_value(f64& result, double value) { result = value; }

// The tiling: block > warp > mma.
constexpr int BLK_M = 12, BLK_N = 24, BLK_K = 8;
constexpr int WARPS_M = 1, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 12, MMA_N = 24, MMA_K = 2;
constexpr int A_REGISTERS = 12, B_REGISTERS = 12, C_REGISTERS = 9;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 4608;
static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, "warps and atoms tile BLK_K");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");

typedef double Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

// The lanes of a warp: each has LANE_M x LANE_N sums of an atom, in runs of neighbours. The
// runs of the lanes are interleaved.
constexpr int LANES_M = 4, LANES_N = 8;
constexpr int LANE_M = 3, LANE_N = 3, RUN_M = 1, RUN_N = 1;
constexpr int RUNS_M = WARP_M / (LANES_M * RUN_M), RUNS_N = WARP_N / (LANES_N * RUN_N);
static_assert(LANES_M * LANE_M == MMA_M && LANES_N * LANE_N == MMA_N, "lanes tile an atom");
static_assert(LANE_M % RUN_M == 0 && LANE_N % RUN_N == 0, "runs tile a lane");

// The lane's position in its warp.
// Eight consecutive lanes form 2 x 4, so that what they stage at a time, a run of each along n, is
// free of bank conflicts.
struct Lane { int m, n; };
__device__ __forceinline__ Lane lane() {
    const int number = threadIdx.x % 32;
    return Lane{number % 2 + number / 16 * 2, number / 2 % 8};
}

// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<0, 1, 1>.
struct TileA {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        return int(sizeof(Element)) * (row * COLS + col);
    }
    // Offset of (row + rows, col), given that of (row, col): the swizzle repeats after
    // every row.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % 1 == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = RUN_M, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static __device__ __forceinline__ int lane() { return ::lane().m; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        // A run of the lane, after those of the k before.
        constexpr int RUNS = LANE_M / RUN;  // of an atom
        const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;
        return stage + offset(k + i / RUNS % MMA_K, mn + run * (LANES * RUN));
    }
    // Which of the lane's elements of an atom is that of its row (or column) i and of k.
    static __device__ __forceinline__ constexpr int held(int i, int k) { return k * LANE_M + i; }
};
static_assert(TileA::COLS * sizeof(f64) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 1, 3>.
struct TileB {
    typedef f64 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_b < 8 ? ALIGN_b : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0x30) >> 3)));
    }
    // Offset of (row + rows, col), given that of (row, col): the swizzle repeats after
    // 8 rows.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % 8 == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static __device__ __forceinline__ int lane() { return ::lane().n; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        const int further = i / RUN * (LANES * RUN);  // to the row's run
        // Further rows of the run, and k, only flip bits of its first address.
        return ((stage + offset(mn, 0)) ^ offset(i % RUN, k)) + further * PITCH;
    }
    // Which of the lane's elements of an atom is that of its row (or column) i and of k.
    static __device__ __forceinline__ constexpr int held(int i, int k) { return i * VECTOR + k; }
};
static_assert(TileB::COLS * sizeof(f64) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 3, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 0;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");

// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Shared {
    union {
        Stage ring[STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
constexpr unsigned STAGE_BYTES = sizeof(Stage);

constexpr int SPLITS = 2;
static_assert(sizeof(Accumulators) * THREADS == 2304, "partial sums of a block");
// A block's share of the output: its tile, the number of that among the shared tiles, and
// which of how many parts of k.
struct Share { int tile, number, split, splits; };
struct Part { int from, k; };  // of the sum: its first k, and its extent

// The K of each tile is split over SPLITS blocks, which are neighbours in the grid: they run at the
// same time and the last of them finds all partial sums in L2.
__device__ __forceinline__ Share share_of_block() {
    const int block = int(blockIdx.x), tile = block / SPLITS;
    return Share{tile, tile, block % SPLITS, SPLITS};
}

// The block's part of k: whole k-tiles, dealt as evenly as possible; a block may have none.
__device__ __forceinline__ Part part_of(Share share, int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K;
    const int each = tiles / share.splits, more = tiles % share.splits;
    const int from = (share.split * each + min(share.split, more)) * BLK_K;
    return Part{from, max(min((each + (share.split < more)) * BLK_K, k - from), 0)};
}

// An operand (rows `ld` apart), from the first k of the block's part on.
template <class Tile>
__device__ __forceinline__ const typename Tile::Element* skip(
    const typename Tile::Element* operand, long long ld, Part part) {
    return operand + (Tile::K_CONTIGUOUS ? part.from : part.from * ld);
}

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

// The warp's part of the block tile. Warps are numbered along m first, along k last.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 32;
    return Warp{number % WARPS_M * WARP_M, number / WARPS_M * WARP_N, 0};
}

// The threads that multiply and store, which are all of a block, and their barrier.
constexpr int CONSUMERS = THREADS;
__device__ __forceinline__ void consumers_sync() { __syncthreads(); }

// The word that moves BYTES bytes at once.
template <int BYTES> struct Word;
template <> struct Word<1> { typedef unsigned char Type; };
template <> struct Word<2> { typedef unsigned short Type; };
template <> struct Word<4> { typedef unsigned Type; };
template <> struct Word<8> { typedef uint2 Type; };
template <> struct Word<16> { typedef uint4 Type; };

// Stores COPY_BYTES bytes to shared memory. (PTX ISA, st)
template <class Tile>
__device__ __forceinline__ void store_shared(unsigned to, const unsigned* words) {
    if constexpr (Tile::COPY_BYTES == 16) {
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};"
                     :: "r"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                     : "memory");
    } else if constexpr (Tile::COPY_BYTES == 8) {
        asm volatile("st.shared.v2.u32 [%0], {%1, %2};"
                     :: "r"(to), "r"(words[0]), "r"(words[1]) : "memory");
    } else {
        asm volatile("st.shared.u32 [%0], %1;" :: "r"(to), "r"(words[0]) : "memory");
    }
}

// The most threads, up to `most`, that share the copies of a row equally.
constexpr int threads_of_row(int copies, int most) {
    int threads = copies < most ? copies : most;
    while (copies % threads != 0) --threads;
    return threads;
}

// A thread's position in the operand of Tile: where its copies of the next k-tile begin, and how
// many elements follow from there.
template <class Tile>
struct Source {
    typedef typename Tile::Element Element;
    static constexpr int VECTOR = Tile::COPY_BYTES / int(sizeof(Element));  // elements of a copy
    static constexpr int THREAD_COLS = threads_of_row(Tile::COLS / VECTOR, Tile::ROW_THREADS);
    static constexpr int THREAD_ROWS = THREADS / THREAD_COLS;

    const Element* from;
    long long ld;
    int mn, k;

    __device__ __forceinline__ Source(const Element* operand, long long ld, int mn0, int mn, int k)
        : ld(ld) {
        const int at_mn = mn0 + (Tile::K_CONTIGUOUS ? row() : col());
        const int at_k = Tile::K_CONTIGUOUS ? col() : row();
        from = operand + (Tile::K_CONTIGUOUS ? at_mn * ld + at_k : at_k * ld + at_mn);
        this->mn = mn - at_mn;
        this->k = k - at_k;
    }

    // Row and column of the thread's first copy in the tile.
    static __device__ __forceinline__ int row() { return int(threadIdx.x) / THREAD_COLS; }
    static __device__ __forceinline__ int col() { return int(threadIdx.x) % THREAD_COLS * VECTOR; }

    __device__ __forceinline__ void advance() {
        from += Tile::K_CONTIGUOUS ? BLK_K : BLK_K * ld;
        k -= BLK_K;
    }
};

// A thread's copies of the next k-tile, COPY_BYTES bytes each, in registers between global and
// shared memory.
template <class Tile>
struct Held {
    typedef Source<Tile> S;
    static constexpr int COPY_WORDS = Tile::COPY_BYTES / 4;
    static constexpr int ROW_COPIES = Tile::COLS / (S::THREAD_COLS * S::VECTOR);
    static constexpr int COPIES = (Tile::ROWS - 1) / S::THREAD_ROWS * ROW_COPIES + ROW_COPIES;

    unsigned words[COPIES][COPY_WORDS];

    // Whether the thread has a copy `row` rows below its first one.
    static __device__ __forceinline__ bool in_tile(int row) {
        return (Tile::ROWS % S::THREAD_ROWS == 0 || S::row() + row < Tile::ROWS)
            && (THREADS % S::THREAD_COLS == 0 || S::row() < S::THREAD_ROWS);
    }
};

// Loads one copy in words of LOAD_BYTES bytes. Words from element `valid` on become zero; no word
// crosses the operand's edge, since ALIGN divides its rows.
template <class Tile>
__device__ __forceinline__ void load_copy(
    unsigned (&words)[Held<Tile>::COPY_WORDS], const typename Tile::Element* from, int valid) {
    constexpr int LOADS = Tile::COPY_BYTES / Tile::LOAD_BYTES;
    constexpr int ELEMENTS = Tile::LOAD_BYTES / int(sizeof(*from));  // of a load
    typedef typename Word<Tile::LOAD_BYTES>::Type Load;
    const Load* const loads = reinterpret_cast<const Load*>(from);
    if constexpr (Tile::LOAD_BYTES >= 4) {
        __align__(16) Load loaded[LOADS] = {};
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            if (i * ELEMENTS < valid) loaded[i] = loads[i];
        }
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) {
            words[i] = reinterpret_cast<const unsigned*>(loaded)[i];
        }
    } else {  // several loads make a word
        constexpr int PACKED = 4 / Tile::LOAD_BYTES;
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) words[i] = 0;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            const unsigned bits = i * ELEMENTS < valid ? loads[i] : 0;
            words[i / PACKED] |= bits << (i % PACKED * Tile::LOAD_BYTES * 8);
        }
    }
}

// Issues the loads of the next k-tile, ROWS rows of COLS elements. Out-of-bounds elements become
// zero.
template <class Tile>
__device__ __forceinline__ void global_to_register(Held<Tile>& held, Source<Tile>& source) {
    typedef Source<Tile> S;
    const int rows = Tile::K_CONTIGUOUS ? source.mn : source.k;
    const int cols = Tile::K_CONTIGUOUS ? source.k : source.mn;
    const typename Tile::Element* from = source.from;
    int copy = 0;
#pragma unroll
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const bool exists = row < rows && Held<Tile>::in_tile(row);
            load_copy<Tile>(held.words[copy++], from + col, exists ? cols - col : 0);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}

// Stores the loaded copies to a stage.
template <class Tile>
__device__ __forceinline__ void register_to_shared(unsigned stage, const Held<Tile>& held) {
    typedef Source<Tile> S;
    const int first = Tile::offset(S::row(), S::col());
    int copy = 0;
#pragma unroll
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const int to = col == 0 ? Tile::below(first, S::row(), S::col(), row)
                                    : Tile::offset(S::row() + row, S::col() + col);
            const unsigned* const words = held.words[copy++];
            if (Held<Tile>::in_tile(row)) store_shared<Tile>(stage + to, words);
        }
    }
}

// Loads VECTOR_BYTES bytes from shared memory. (PTX ISA, ld)
template <class Tile>
__device__ __forceinline__ void load_shared(unsigned* r, unsigned from) {
    if constexpr (Tile::VECTOR_BYTES == 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
    } else if constexpr (Tile::VECTOR_BYTES == 8) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1]) : "r"(from) : "memory");
    } else if constexpr (Tile::VECTOR_BYTES == 4) {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(from) : "memory");
    } else {
        asm volatile("ld.shared.u16 %0, [%1];" : "=r"(r[0]) : "r"(from) : "memory");
    }
}

// Loads a lane's fragments of one k-step from a stage, a vector at a time: the part at mn0 x k0 of
// the tile.
template <class Tile, int VECTORS = Tile::REGISTERS / Tile::VECTOR_REGISTERS>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int mn = mn0 + Tile::lane() * Tile::RUN;
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) {
        load_shared<Tile>(
            &fragments[i * Tile::VECTOR_REGISTERS], Tile::vector(stage, i, mn, k0));
    }
}

// The lane's factor of its row (or column) i at k.
template <class Tile>
__device__ __forceinline__ double factor(const unsigned* fragment, int i, int k) {
    const int at = 2 * Tile::held(i, k);  // the first of two registers
    return __hiloint2double(fragment[at + 1], fragment[at]);
}

// The lane's part of c(MMA_M x MMA_N) += a(MMA_M x MMA_K) * b(MMA_K x MMA_N): for each k the outer
// product of LANE_M factors by LANE_N, fused multiply-adds.
__device__ __forceinline__ void mma_atom(
    Sum (&c)[C_REGISTERS], const unsigned* a, const unsigned* b) {
#pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
#pragma unroll
        for (int i = 0; i < LANE_M; ++i) {
            const Sum of_a = factor<TileA>(a, i, k);
#pragma unroll
            for (int j = 0; j < LANE_N; ++j) {
                Sum& sum = c[i * LANE_N + j];
                sum = __fma_rn(of_a, factor<TileB>(b, j, k), sum);
            }
        }
    }
}

// One k-step of a warp: acc(WARP_M x WARP_N) += a(WARP_M x MMA_K) * b(MMA_K x WARP_N).
__device__ __forceinline__ void mma(
    Accumulators& acc,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
            mma_atom(acc[i][j], &a[i * A_REGISTERS], &b[j * B_REGISTERS]);
        }
    }
}

// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through two stages: while one is multiplied,
// the next k-tile is loaded to registers, and from there stored to the other.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
    const TileA::Element* a, long long ld_a, const TileB::Element* b, long long ld_b,
    int m, int n, int k) {
    const unsigned first = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    unsigned read = first, write = first + STAGE_BYTES;  // the two stages
    Source<TileA> source_a(a, ld_a, block.m, m, k);
    Source<TileB> source_b(b, ld_b, block.n, n, k);
    Held<TileA> held_a;
    Held<TileB> held_b;

    // Prologue: the first k-tile.
    global_to_register(held_a, source_a);
    global_to_register(held_b, source_b);
    register_to_shared(read, held_a);
    register_to_shared(read + TileA::BYTES, held_b);
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    shared_to_register<TileA>(fragments_a[0], read, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], read + TileA::BYTES, warp.n, warp.k);

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        // K-tiles past the end of k are zeros.
        global_to_register(held_a, source_a);
        global_to_register(held_b, source_b);
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next k-tile, which goes to the stage that
                // the previous one was read from; a barrier lies between.
                register_to_shared(write, held_a);
                register_to_shared(write + TileA::BYTES, held_b);
                __syncthreads();
                const unsigned filled = write;
                write = read;
                read = filled;
            }
            const int next = (step + 1) % 2, next_k = warp.k + (step + 1) % STEPS_K * MMA_K;
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    __syncthreads();
}

__device__ __forceinline__ double body(const double acc) {
    return acc;
}

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
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i]);
        }
    }
};

// One accumulator of a lane.
typedef Sum Register;
__device__ __forceinline__ void add(Register& sum, Register partial) { sum += partial; }

// The last-arriving block of a tile reduces the partial sums of all its blocks and returns true.
// It adds them in the order of the splits, so the result does not depend on the order of arrival.
//
// partials(number, splits, REGISTERS / WORD_REGISTERS, THREADS, WORD_REGISTERS): warps access
// whole lines. arrivals(number): how many blocks have stored theirs; 0 before and after a launch.
__device__ __forceinline__ bool split_k(
    Accumulators& acc, Share share, void* partials, unsigned* arrivals) {
    constexpr int BYTES = sizeof(Accumulators), IN_FLIGHT = 8;
    constexpr int WORD_BYTES = BYTES % 16 == 0 ? 16 : BYTES % 8 == 0 ? 8 : 4;
    constexpr int REGISTERS = BYTES / int(sizeof(Register));  // of a lane
    constexpr int WORD_REGISTERS = WORD_BYTES / int(sizeof(Register));
    typedef typename Word<WORD_BYTES>::Type Words;
    Register (&sums)[REGISTERS] = reinterpret_cast<Register (&)[REGISTERS]>(acc);
    const long long number = share.number;
    Register* const of_tile = static_cast<Register*>(partials)
                            + number * share.splits * REGISTERS * THREADS
                            + threadIdx.x * WORD_REGISTERS;
    Register* const mine = of_tile + share.split * REGISTERS * THREADS;
#pragma unroll
    for (int i = 0; i < REGISTERS; i += WORD_REGISTERS) {
        __align__(16) Register word[WORD_REGISTERS];
#pragma unroll
        for (int j = 0; j < WORD_REGISTERS; ++j) word[j] = sums[i + j];
        *reinterpret_cast<Words*>(mine + i * THREADS) = *reinterpret_cast<const Words*>(word);
    }

    // One thread counts the block in: the barrier orders the stores of the others before its fence,
    // and the next barrier orders their loads after its second fence.
    __syncthreads();
    bool is_last = false;
    if (threadIdx.x == 0) {
        __threadfence();
        // atomicInc wraps from `last` to 0.
        const unsigned last = share.splits - 1;
        is_last = atomicInc(arrivals + number, last) == last;
        __threadfence();
    }
    if (!__syncthreads_or(is_last)) return false;

    // Each thread has IN_FLIGHT words in flight.
#pragma unroll
    for (int first = 0; first < REGISTERS; first += IN_FLIGHT * WORD_REGISTERS) {
        const int end = min(first + IN_FLIGHT * WORD_REGISTERS, REGISTERS);
#pragma unroll
        for (int i = first; i < end; ++i) sums[i] = 0;
#pragma unroll 1
        for (int split = 0; split < share.splits; ++split) {
            const Register* const from = of_tile + split * REGISTERS * THREADS;
#pragma unroll
            for (int i = first; i < end; i += WORD_REGISTERS) {
                __align__(16) Register word[WORD_REGISTERS];
                // Bypasses L1, which is not coherent across SMs.
                *reinterpret_cast<Words*>(word) =
                    __ldcg(reinterpret_cast<const Words*>(from + i * THREADS));
#pragma unroll
                for (int j = 0; j < WORD_REGISTERS; ++j) add(sums[i + j], word[j]);
            }
        }
    }
    return true;
}

// Neighbours along n that a lane holds.
struct alignas(RUN_N * sizeof(Sum)) Run { Sum sums[RUN_N]; };

// Stages PASS_RUNS runs of rows of every lane, a run of neighbours along n at a time.
__device__ __forceinline__ void stage(
    Sum* staged, const Accumulators& acc, Warp warp, int pass) {
    const Lane at = lane();
    const int row0 = warp.m / WARP_ROWS * PASS_ROWS + at.m * RUN_M, col0 = warp.n + at.n * RUN_N;
#pragma unroll
    for (int i = 0; i < PASS_RUNS * RUN_M; ++i) {
        const int m = pass * PASS_RUNS * RUN_M + i;  // of the lane's rows
        const int row = row0 + i / RUN_M * (LANES_M * RUN_M) + i % RUN_M;
#pragma unroll
        for (int run = 0; run < RUNS_N; ++run) {
            Run along;
#pragma unroll
            for (int j = 0; j < RUN_N; ++j) {
                const int n = run * RUN_N + j;  // of the lane's columns
                along.sums[j] = acc[m / LANE_M][n / LANE_N][m % LANE_M * LANE_N + n % LANE_N];
            }
            const int col = col0 + run * (LANES_N * RUN_N);
            *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = along;
        }
    }
}

// Stores body(acc) to the block's part of the output, in PASSES passes.
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int CHUNKS_PER_ROW = STAGED_COLS / OUT_VECTOR;
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        if (pass > 0) consumers_sync();  // the previous pass has been read
        stage(staged + warp.k / WARP_K * STAGED_SUMS, acc, warp, pass);
        consumers_sync();
#pragma unroll 1
        for (int chunk = threadIdx.x; chunk < STAGED_ROWS * CHUNKS_PER_ROW; chunk += CONSUMERS) {
            const int staged_row = chunk / CHUNKS_PER_ROW;
            const int staged_col = chunk % CHUNKS_PER_ROW * OUT_VECTOR;
            const int row = row0 + staged_row / PASS_ROWS * WARP_ROWS
                          + pass * PASS_ROWS + staged_row % PASS_ROWS;
            const int col = col0 + staged_col;
            if (row >= rows || col >= cols) continue;
            const int valid = min(OUT_VECTOR, cols - col);
            Sum sums[OUT_VECTOR];
            const Sum* const from = staged + staged_row * STAGED_PITCH + staged_col;
            load<16>(sums, from, OUT_VECTOR);
#pragma unroll
            for (int other = 1; other < WARPS_K; ++other) {
                Sum more[OUT_VECTOR];
                load<16>(more, from + other * STAGED_SUMS, OUT_VECTOR);
#pragma unroll
                for (int i = 0; i < OUT_VECTOR; ++i) sums[i] += more[i];
            }
            Result results[OUT_VECTOR];
            values.apply(results, sums, row, col, valid);
            store<ALIGN_out>(out + row * ld + col, results, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_fma_doubles_130f01ec9b2efe96(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    f64* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    mainloop(
        acc, shared, block, warp,
        skip<TileA>(a, ld_a, part), ld_a,
        skip<TileB>(b, ld_b, part), ld_b,
        m, n, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
