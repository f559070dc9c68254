// split_both, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 3, 3], b = [3, 3, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn split_both(
//         a: Mat<f16, M, K>,
//         b: Mat<f16, K, N>,
//         alpha: f32,
//     ) -> (Mat<f32, M, N>, Mat<f16, M, N>)
//
// out0(M, N), out1(M, N) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
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
#ifndef ALIGN_out0
#define ALIGN_out0 16
#endif
#ifndef ALIGN_out1
#define ALIGN_out1 16
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

// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
static_assert(WARPS_M * ATOMS_M * MMA_M == BLK_M, "warps and atoms tile BLK_M");
static_assert(WARPS_N * ATOMS_N * MMA_N == BLK_N, "warps and atoms tile BLK_N");
static_assert(WARPS_K * STEPS_K * MMA_K == BLK_K, "warps and atoms tile BLK_K");
static_assert(STAGES >= 2 && THREADS <= 1024, "a ring, and a legal block");

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Block { int m, n; };  // first row and column of a block tile in the output
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<2, 3, 3>.
struct TileA {
    typedef f16 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0xc0) >> 3)));
    }
    // Offset of (row + rows, col), given that of (row, col): the swizzle repeats after
    // 8 rows.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % 8 == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
    static constexpr bool TRANSPOSED = false;
    static constexpr int X4_MN = 16;  // extent of four matrices
    // Where matrix 0..4 of an x4 load begins, and the offset of its row number `line`, for
    // the load `further` elements along m (or n).
    static __device__ __forceinline__ int matrix_mn(int matrix) { return matrix % 2 * 8; }
    static __device__ __forceinline__ int matrix_k(int matrix) { return matrix / 2 * 8; }
    static __device__ __forceinline__ int matrix_row(
            int mn, int k, int line, int further) {
        return below(offset(mn + line, k), mn + line, k, further);
    }
};
static_assert(TileA::COLS * sizeof(f16) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");

// B in shared memory: BLK_K rows of BLK_N elements, Swizzle<3, 3, 3>.
struct TileB {
    typedef f16 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_N;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        return int(sizeof(Element)) * (row * COLS + (col ^ ((linear & 0x1c0) >> 3)));
    }
    // Offset of (row + rows, col), given that of (row, col): the swizzle repeats after
    // 8 rows.
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return rows % 8 == 0 ? above + rows * PITCH : offset(row + rows, col);
    }
    static constexpr bool TRANSPOSED = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    // Where matrix 0..4 of an x4 load begins, and the offset of its row number `line`, for
    // the load `further` elements along m (or n).
    static __device__ __forceinline__ int matrix_mn(int matrix) { return matrix / 2 * 8; }
    static __device__ __forceinline__ int matrix_k(int matrix) { return matrix % 2 * 8; }
    static __device__ __forceinline__ int matrix_row(
            int mn, int k, int line, int further) {
        return offset(k + line, mn + further);
    }
};
static_assert(TileB::COLS * sizeof(f16) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");

// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(f32));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f16));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, OUT1_VECTOR);
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");

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

constexpr int SPLITS = 3;
static_assert(sizeof(Accumulators) * THREADS == 16384, "partial sums of a block");
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
template <class Tile>
__device__ __forceinline__ void copy_async(
    unsigned to, const typename Tile::Element* from, bool inside) {
    if constexpr (Tile::PAST_L1 && Tile::COPY_BYTES == 16) {
        cp_async_cg<Tile>(to, from, inside);
    } else if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile>(to, from, inside);
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

// Loads a warp's fragments of one k-step from a stage: the part at mn0 x k0 of the tile. Lane l
// addresses row l % 8 of matrix l / 8; each x4 load covers the next X4_MN elements along m (or n).
template <class Tile, bool = Tile::TRANSPOSED>
__device__ __forceinline__ void shared_to_register(
    unsigned (&fragments)[Tile::REGISTERS], unsigned stage, int mn0, int k0) {
    const int line = threadIdx.x % 8, matrix = threadIdx.x / 8 % 4;
    const int mn = mn0 + Tile::matrix_mn(matrix), k = k0 + Tile::matrix_k(matrix);
    constexpr int LOADS = Tile::REGISTERS / 4;
#pragma unroll
    for (int load = 0; load < LOADS; ++load) {
        ldmatrix_x4<Tile>(
            &fragments[load * 4], stage + Tile::matrix_row(mn, k, line, load * Tile::X4_MN));
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

// acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N), through a ring of STAGES stages: STAGES - 1
// are in flight while one is multiplied.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Shared& shared, Block block, Warp warp,
    const TileA::Element* a, long long ld_a, const TileB::Element* b, long long ld_b,
    int m, int n, int k) {
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared.ring));
    const unsigned last = ring + (STAGES - 1) * STAGE_BYTES;
    Source<TileA> source_a(a, ld_a, block.m, m, k);
    Source<TileB> source_b(b, ld_b, block.n, n, k);

    unsigned read = ring, write = ring;  // stages of the ring
    const auto copy_next_tile = [&] {
        global_to_shared(write, source_a);
        global_to_shared(write + TileA::BYTES, source_b);
        cp_async_commit();
        write = write == last ? ring : write + STAGE_BYTES;
    };

    // Prologue: all stages but the last. K-tiles past the end of k are zeros.
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) copy_next_tile();
    cp_async_wait<STAGES - 2>();
    __syncthreads();

    // Double-buffered fragments: one k-step is multiplied while the next is loaded.
    unsigned fragments_a[2][TileA::REGISTERS], fragments_b[2][TileB::REGISTERS];
    shared_to_register<TileA>(fragments_a[0], ring, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], ring + TileA::BYTES, warp.n, warp.k);

    const int tiles = (k + BLK_K - 1) / BLK_K;
    for (int tile = 0; tile < tiles; ++tile) {
        // Refills the stage that the previous k-tile was read from; a barrier lies between. The
        // copies follow the loads that the next k-step waits for, except where the only k-step
        // waits for their group.
        if (STEPS_K == 1) copy_next_tile();
#pragma unroll
        for (int step = 0; step < STEPS_K; ++step) {
            if (step == STEPS_K - 1) {
                // The next k-step is the first of the next k-tile, which must have landed.
                cp_async_wait<STAGES - 2>();
                __syncthreads();
                read = read == last ? ring : read + STAGE_BYTES;
            }
            const int next = (step + 1) % 2, next_k = warp.k + (step + 1) % STEPS_K * MMA_K;
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            if (STEPS_K > 1 && step == 0) copy_next_tile();
            mma(acc, fragments_a[step % 2], fragments_b[step % 2]);
        }
        if constexpr (STEPS_K % 2 == 1) {  // the next k-tile starts from fragments 0
#pragma unroll
            for (int i = 0; i < TileA::REGISTERS; ++i) fragments_a[0][i] = fragments_a[1][i];
#pragma unroll
            for (int i = 0; i < TileB::REGISTERS; ++i) fragments_b[0][i] = fragments_b[1][i];
        }
    }
    cp_async_wait<0>();
    __syncthreads();
}

// 1 / (1 + e^-x), good to 17 bits for results that are stored with 11 at most: 2^y and the
// reciprocal are the hardware's. A result below 2^-126 is 0. (PTX ISA, ex2 and rcp)
__device__ __forceinline__ float sigmoid(const float x) {
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return result;
}

__device__ __forceinline__ Result body(const float acc, const float alpha) {
    const float z = alpha * acc;
    return Result{z, z * sigmoid(z)};
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
    float alpha;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], alpha);
        }
    }
};

// What the results of the body are stored to.
struct Outputs {
    f32* out0;
    long long ld_out0;
    f16* out1;
    long long ld_out1;
    // Stores COUNT results of `row` from `col` on, each value to its output; the first `valid`
    // lie inside.
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        float of_out0[COUNT];
        float of_out1[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            of_out0[i] = results[i].out0;
            of_out1[i] = results[i].out1;
        }
        ::store<ALIGN_out0>(out0 + row * ld_out0 + col, of_out0, valid);
        ::store<ALIGN_out1>(out1 + row * ld_out1 + col, of_out1, valid);
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

// Stores body(acc) to the block's part of each output, in PASSES passes.
// A pass is staged in shared memory (for each of WARPS_K: STAGED_ROWS x STAGED_COLS sums, rows
// STAGED_PITCH apart), so that each thread then stores OUT_VECTOR elements of one row. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Sum* staged, Warp warp, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
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
            outputs.store(results, row, col, valid);
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_both_ccf79dd00850447a(
    int m, int n, int k,
    const f16* a, long long ld_a,
    const f16* b, long long ld_b,
    float alpha,
    f32* out0, long long ld_out0,
    f16* out1, long long ld_out1,
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
    const Values values = {alpha};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
