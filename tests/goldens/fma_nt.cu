// fma_nt, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 256, 16],
//         warps   = [4, 4],
//         mma     = fma(8, 8),
//         copy    = cp_async(4, ca),
//         swizzle = [0, 2, 2],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_nt(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_out = 16;

// IEEE binary32, as stored.
typedef float f32;
__device__ __forceinline__ float to_value(f32 value) { return value; }
__device__ __forceinline__ void from_value(f32& result, float value) { result = value; }

// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 256, BLK_K = 16;
constexpr int WARPS_M = 4, WARPS_N = 4, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 32, MMA_N = 64, MMA_K = 1;
constexpr int A_REGISTERS = 8, B_REGISTERS = 8, C_REGISTERS = 64;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 100352;
static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, "warps and atoms tile BLK_K");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

// The lanes of a warp: each has LANE_M x LANE_N sums of an atom, in runs of neighbours. The
// runs of the lanes are interleaved.
constexpr int LANES_M = 4, LANES_N = 8;
constexpr int LANE_M = 8, LANE_N = 8, RUN_M = 4, RUN_N = 4;
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

// A k-tile of a factor in shared memory: C columns of R elements, transposed by the copies; columns
// are PADDING elements longer.
template <class T, int R, int C, int PADDING>
struct ColumnTile {
    typedef T Element;
    static constexpr int ROWS = R, COLS = C;
    static constexpr int PITCH = (ROWS + PADDING) * int(sizeof(Element)), BYTES = COLS * PITCH;
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        return col * PITCH + row * int(sizeof(Element));
    }
    // Offset of (row + rows, col), given that of (row, col).
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return above + rows * int(sizeof(Element));
    }
};

// A, the operand `a`, in shared memory.
struct TileA : ColumnTile<f32, BLK_M, BLK_K, 4> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = RUN_M, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        // A run of the lane, after those of the k before.
        constexpr int RUNS = LANE_M / RUN;  // of an atom
        const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;
        return stage + offset(mn + run * (LANES * RUN), k + i / RUNS % MMA_K);
    }
    // Which of the lane's elements of an atom is that of its row (or column) i and of k.
    static __device__ __forceinline__ constexpr int held(int i, int k) { return k * LANE_M + i; }
};

// B, the operand `b`, in shared memory.
struct TileB : ColumnTile<f32, BLK_N, BLK_K, 4> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 8;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
    // Address of vector i of a k-step, for a lane whose first row (or column) is mn.
    static __device__ __forceinline__ unsigned vector(unsigned stage, int i, int mn, int k) {
        // A run of the lane, after those of the k before.
        constexpr int RUNS = LANE_N / RUN;  // of an atom
        const int run = i / (RUNS * MMA_K) * RUNS + i % RUNS;
        return stage + offset(mn + run * (LANES * RUN), k + i / RUNS % MMA_K);
    }
    // Which of the lane's elements of an atom is that of its row (or column) i and of k.
    static __device__ __forceinline__ constexpr int held(int i, int k) { return k * LANE_N + i; }
};

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 1, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");

struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
constexpr unsigned STAGE_BYTES = sizeof(Stage);

// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Shared {
    union {
        Stage ring[STAGES];
        Sum staged[WARPS_K * STAGED_SUMS];
    };
};
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

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

// Issues a copy of COPY_BYTES bytes, of zeros where it is not `inside`. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_ca(unsigned to, const void* from, bool inside) {
    asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %3, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], %2, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(Tile::COPY_BYTES),
                 "r"(int(inside)) : "memory");
}

// Stores 2 bytes to shared memory. (PTX ISA, st)
template <class Tile>
__device__ __forceinline__ void store_shared(unsigned to, unsigned short bits) {
    asm volatile("st.shared.u16 [%0], %1;" :: "r"(to), "h"(bits) : "memory");
}

// Issues one copy of COPY_BYTES bytes, or zero-fills them where it is not `inside` the operand.
template <class Tile, class... Policy>
__device__ __forceinline__ void copy_async(
    unsigned to, const typename Tile::Element* from, bool inside, Policy... policy) {
    if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile>(to, from, inside, policy...);
    } else {  // narrower than any asynchronous copy
        store_shared<Tile>(to, inside ? from->bits : 0);
    }
}

// Closes the group of copies started since the last one. (PTX ISA, cp.async.commit_group)
__device__ __forceinline__ void cp_async_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most PENDING of this thread's groups are in flight. (PTX ISA, cp.async.wait_group)
template <int PENDING>
__device__ __forceinline__ void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
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
    static_assert(Tile::COLS * sizeof(Element) % Tile::COPY_BYTES == 0, "copies tile a row");
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

// Issues the copies of the next k-tile, ROWS rows of COLS elements, to a stage. Out-of-bounds
// elements become zero; no copy crosses the operand's edge, since ALIGN divides its rows.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned stage, Source<Tile>& source) {
    typedef Source<Tile> S;
    const int rows = Tile::K_CONTIGUOUS ? source.mn : source.k;
    const int cols = Tile::K_CONTIGUOUS ? source.k : source.mn;
    const typename Tile::Element* from = source.from;
    const int first = Tile::offset(S::row(), S::col());
    constexpr int UNROLL = Tile::COPY_BYTES >= 8 ? Tile::ROWS : 4;  // narrow copies are many
#pragma unroll UNROLL
    for (int row = 0; row < Tile::ROWS; row += S::THREAD_ROWS) {
        const bool in_tile = (Tile::ROWS % S::THREAD_ROWS == 0 || S::row() + row < Tile::ROWS)
            && (THREADS % S::THREAD_COLS == 0 || S::row() < S::THREAD_ROWS);
#pragma unroll
        for (int col = 0; col < Tile::COLS; col += S::THREAD_COLS * S::VECTOR) {
            const bool inside = row < rows && col < cols;
            const int to = col == 0 ? Tile::below(first, S::row(), S::col(), row)
                                    : Tile::offset(S::row() + row, S::col() + col);
            if (in_tile) copy_async<Tile>(stage + to, from + col, inside);
        }
        from += S::THREAD_ROWS * source.ld;
    }
    source.advance();
}

typedef Source<TileA> SourceA;
typedef Source<TileB> SourceB;

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
__device__ __forceinline__ float factor(const unsigned* fragment, int i, int k) {
    return __uint_as_float(fragment[Tile::held(i, k)]);
}

// The lane's part of c(MMA_M x MMA_N) += a(MMA_M x MMA_K) * b(MMA_K x MMA_N): for each k the outer
// product of LANE_M factors by LANE_N, fused multiply-adds. Each row begins with the factor that
// the previous row ended with.
__device__ __forceinline__ void mma_atom(
    Sum (&c)[C_REGISTERS], const unsigned* a, const unsigned* b) {
#pragma unroll
    for (int k = 0; k < MMA_K; ++k) {
#pragma unroll
        for (int i = 0; i < LANE_M; ++i) {
            const Sum of_a = factor<TileA>(a, i, k);
#pragma unroll
            for (int turn = 0; turn < LANE_N; ++turn) {
                const int j = i % 2 == 0 ? turn : LANE_N - 1 - turn;
                Sum& sum = c[i * LANE_N + j];
                sum = __fmaf_rn(of_a, factor<TileB>(b, j, k), sum);
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

// Where the block's k-tiles are copied from.
struct Sources {
    SourceA& a;
    SourceB& b;
};

// Issues the copies of the next k-tile to a stage.
__device__ __forceinline__ void global_to_shared(unsigned stage, Sources& from) {
    global_to_shared(stage, from.a);
    global_to_shared(stage + TileA::BYTES, from.b);
}

// Starts the copies of all stages but the last. K-tiles past the end of k are zeros.
__device__ __forceinline__ void prologue(unsigned ring, Sources& from) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, from);
        cp_async_commit();
    }
}

// A ring of STAGES stages in shared memory: STAGES - 1 are in flight while one is multiplied.
struct Pipeline {
    Sources& from;
    const unsigned first, last;  // stages of the ring
    unsigned read = first, write = last;

    // The first k-tile has landed.
    __device__ __forceinline__ Pipeline(Shared& shared, Sources& from)
        : from(from),
          first(static_cast<unsigned>(__cvta_generic_to_shared(shared.ring))),
          last(first + (STAGES - 1) * STAGE_BYTES) {
        prologue(first, from);
        cp_async_wait<STAGES - 2>();
        __syncthreads();
    }

    // Refills the stage that the previous k-tile was read from; a barrier lies between. The copies
    // follow the loads that the next k-step waits for, except where the only k-step waits for
    // their group.
    __device__ __forceinline__ void begin_tile() {
        if (STEPS_K == 1) copy_next_tile();
    }
    __device__ __forceinline__ void end_loads(int step) {
        if (STEPS_K > 1 && step == 0) copy_next_tile();
    }
    __device__ __forceinline__ void copy_next_tile() {
        global_to_shared(write, from);
        cp_async_commit();
        write = write == last ? first : write + STAGE_BYTES;
    }

    // Goes on to the next k-tile, which must have landed.
    __device__ __forceinline__ void next_tile() {
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        read = read == last ? first : read + STAGE_BYTES;
    }

    // Gives the shared memory back.
    __device__ __forceinline__ void finish() {
        cp_async_wait<0>();
        __syncthreads();
    }
};

// Loads a warp's fragments of a k-step from a stage. The first factor of A meets all factors of B,
// which come first.
__device__ __forceinline__ void load_fragments(
    unsigned (&a)[TileA::REGISTERS], unsigned (&b)[TileB::REGISTERS],
    unsigned stage, Warp warp, int step) {
    const int k = warp.k + step * MMA_K;
    shared_to_register<TileB>(b, stage + TileA::BYTES, warp.n, k);
    shared_to_register<TileA>(a, stage, warp.m, k);
}

// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N).
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Warp warp, Sources from, int k) {
    Pipeline pipeline(shared, from);

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    load_fragments(fragments_a[0], fragments_b[0], pipeline.read, warp, 0);

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        pipeline.begin_tile();
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) pipeline.next_tile();  // whose first k-step is the next
            const int next = (step + 1) % 2, next_step = (step + 1) % STEPS_K;
            load_fragments(fragments_a[next], fragments_b[next], pipeline.read, warp, next_step);
            pipeline.end_loads(step);
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
    }
    pipeline.finish();
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

// Neighbours along n that a lane holds.
struct alignas(RUN_N * sizeof(Sum)) Run { Sum sums[RUN_N]; };

// Stages PASS_RUNS runs of rows of every lane, a run of neighbours along n at a time.
// Each pair of neighbours is swapped: ptxas keeps a run in consecutive registers as it is stored,
// and so puts each sum into the register bank, even or odd, that its factor of B is not in.
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
                along.sums[j ^ 1] = acc[m / LANE_M][n / LANE_N][m % LANE_M * LANE_N + n % LANE_N];
            }
            const int col = col0 + run * (LANES_N * RUN_N);
            *reinterpret_cast<Run*>(staged + row * STAGED_PITCH + col) = along;
        }
    }
}

// Loads COUNT staged sums of a row from `col` on and swaps each pair of neighbours back.
template <int COUNT>
__device__ __forceinline__ void load_staged(Sum (&sums)[COUNT], const Sum* row, int col) {
    if constexpr (COUNT == 1) {
        sums[0] = row[col ^ 1];
    } else {
        Sum exchanged[COUNT];
        load<16>(exchanged, row + col, COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) sums[i] = exchanged[i ^ 1];
    }
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
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_nt_9fe7c618f92e8985(
    int m, int n, int k,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
