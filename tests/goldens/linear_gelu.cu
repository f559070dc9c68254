// linear_gelu, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn linear_gelu(x: Mat<f16, M, K>, w: Mat<f16, N, K>, bias: Vector<f16, N>) -> Mat<f16, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_w = 16;
constexpr int ALIGN_bias = 16;
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
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65536;
static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, "warps and atoms tile BLK_K");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

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

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<2, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operand `w`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<2, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 8;  // matrices along k, extent of one
};

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

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

// Issues a 16-byte copy that bypasses L1, of zeros where it is not `inside`. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_cg(unsigned to, const void* from, bool inside) {
    asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %2, 0;\n\t"
                 "cp.async.cg.shared.global [%0], [%1], 16, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(int(inside)) : "memory");
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
    if constexpr (Tile::PAST_L1 && Tile::COPY_BYTES == 16) {
        cp_async_cg<Tile>(to, from, inside, policy...);
    } else if constexpr (Tile::COPY_BYTES >= 4) {
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

// Offset of row number `line` of the matrix at (mn, k), for the load `further` elements along m (or
// n): these lie in rows below, or in columns beside.
template <class Tile>
__device__ __forceinline__ int matrix_row(int mn, int k, int line, int further) {
    if constexpr (Tile::TRANSPOSED) return Tile::offset(k + line, mn + further);
    else return Tile::below(Tile::offset(mn + line, k), mn + line, k, further);
}

// Loads a warp's fragments of one k-step from a stage: the part at mn0 x k0 of the tile. Lane l
// addresses row l % 8 of matrix l / 8; each x4 load covers the next X4_MN elements along m (or n).
template <class Tile, bool = Tile::TRANSPOSED>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + matrix_mn<Tile>(matrix), k = k0 + matrix_k<Tile>(matrix);
    constexpr int LOADS = Tile::REGISTERS / 4;
#pragma unroll
    for (int load = 0; load < LOADS; ++load) {
        ldmatrix_x4<Tile>(
            &fragments[load * 4], stage + matrix_row<Tile>(mn, k, line, load * Tile::X4_MN));
    }
}

// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(float (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
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

// Loads a warp's fragments of a k-step from a stage.
__device__ __forceinline__ void load_fragments(
    unsigned (&a)[TileA::REGISTERS], unsigned (&b)[TileB::REGISTERS],
    unsigned stage, Warp warp, int step) {
    const int k = warp.k + step * MMA_K;
    shared_to_register<TileA>(a, stage, warp.m, k);
    shared_to_register<TileB>(b, stage + TileA::BYTES, warp.n, k);
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

// x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - z / 2 * erfc(z / sqrt(2)), z = |x|, where no digits
// cancel. The difference of -0 keeps the sign of a zero.
// For results that are stored in 16 bits: z * P(-z), where P, the normal distribution, is 2^p. The
// polynomial p was fitted for z up to 13.3, from where on P is 0 here.
__device__ __forceinline__ float gelu(const float x) {
    const float z = fminf(fabsf(x), 13.3f);
    float p = 3.494982e-8f;
    p = fmaf(p, z, -2.132255e-6f);
    p = fmaf(p, z, 5.5852255e-5f);
    p = fmaf(p, z, -8.317264e-4f);
    p = fmaf(p, z, 7.925746e-3f);
    p = fmaf(p, z, -5.2351166e-2f);
    p = fmaf(p, z, -0.46052665f);
    p = fmaf(p, z, -1.1502422f);
    p = fmaf(p, z, -1.0000908f);
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(p));  // (PTX ISA, ex2)
    return x != x ? x : fmaf(-z, power, fmaxf(x, -0.0f));
}

__device__ __forceinline__ float body(const float acc, const float bias) {
    return gelu(acc + bias);
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

// COUNT elements of an operand, or their values: those of neighbours in a row of the output.
template <class T, int COUNT>
struct alignas(16) Elements {
    T of[COUNT];
    __device__ __forceinline__ T operator[](int i) const { return of[i]; }
};

// A vector along the output's rows, of values of type V.
template <class T, class V, int ALIGN>
struct VectorRun {
    const T* from;
    // Values from `col` on; elements from `valid` on are not accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ Elements<V, COUNT> read(int, int col, int valid) const {
        Elements<V, COUNT> values;
        load<ALIGN>(values.of, from + col, valid);
        return values;
    }
};

// What the body reads beside the accumulator.
struct Values {
    VectorRun<f16, float, ALIGN_bias> bias;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_bias = bias.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i]);
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
extern "C" __global__ void __launch_bounds__(THREADS, 1) linear_gelu_2a99415ef349aff4(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* w, long long ld_w,
    const f16* bias,
    f16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
