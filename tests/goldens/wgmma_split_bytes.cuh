// wgmma_split_bytes, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 96, 128],
//         warpgroups = [2, 1],
//         mma     = m64n96k32,
//         copy    = tma,
//         swizzle = [3, 4, 3],
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 4,
//         targets = [sm_90a],
//     )]
//     fn wgmma_split_bytes(
//         a: Mat<i8, M, K>,
//         b: Mat<u8, N, K>,
//         bias: Vector<i32, N>,
//         c: &mut Mat<i32, N, M>,
//     )
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among the 4 blocks of a cluster, and each stores a part of the columns.
// out is c; the thread that writes an element is the only one to read it,
// and reads it before.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_out-8a0c4f8d i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 96, BLK_K = 128;
constexpr int SPLITS = 4;  // blocks of a cluster, which share the K of a tile
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 96, MMA_K = 32;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 48;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 57376;
//| assertions-a4b11103
//> Sum-46ddd336 TensorMap-4eb42d3a Box-9697fac4
//| TileA-947cb365 box-016ed81f LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-9a9d8063 box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: N rows of M elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as sums, in slabs of its own that it fills in turn.
typedef i32 Out;
typedef int Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N / SPLITS;  // columns of an atom that a block stores
static_assert(STORED_N % 8 == 0, "each block of a cluster stores whole bands");
typedef Sum Staged;
constexpr int SLAB_ROWS = 32, SLAB_COLS = 64, SLABS = 2;
constexpr int SLAB_UNIT = 8;  // elements that keep together
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int STAGED_ELEMENTS = 2 * SLABS * SLAB_ROWS * SLAB_COLS;

// Shared memory of a block. The epilogue stages where the ring is, which is idle by then.
struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
struct Barriers { unsigned long long full[STAGES], empty[STAGES]; };  // of a ring: mbarriers
struct Shared {
    union {
        Stage ring[STAGES];
        Staged staged[STAGED_ELEMENTS];
        Sum received[SPLITS - 1][BLK_M * BLK_N / SPLITS];  // from the other blocks of the cluster
    };
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
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> cluster_rank-4b3530fe cluster_meet-7bc415a2
// The same, after which all that threads of the cluster have stored is there.
__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Releases accesses to the own shared memory to the cluster. (PTX ISA, fence.sync_restrict)
__device__ __forceinline__ void release_shared() {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}

// The block's part of k: its first k, and its extent. The SPLITS blocks of a cluster share the K of
// a tile of the output in whole k-tiles, dealt as evenly as possible; a block may have none.
struct Part { int from, k; };
__device__ __forceinline__ Part part_of_block(int k) {
    const int tiles = (k + BLK_K - 1) / BLK_K, rank = cluster_rank();
    const int each = tiles / SPLITS, more = tiles % SPLITS;
    const int from = (rank * each + min(rank, more)) * BLK_K;
    return Part{from, max(min((each + (rank < more)) * BLK_K, k - from), 0)};
}
//> raster-774b3866 warps-72c7d2da CONSUMERS-df590274 group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe global_to_shared-24d28b00 descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x96) = a(64x32) * b(32x96), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[48], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %50, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n96k32.s32.s8.u8 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
        "}, %48, %49, add;\n\t}"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]),
          "+r"(d[7]), "+r"(d[8]), "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]),
          "+r"(d[14]), "+r"(d[15]), "+r"(d[16]), "+r"(d[17]), "+r"(d[18]), "+r"(d[19]),
          "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]), "+r"(d[25]),
          "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]),
          "+r"(d[32]), "+r"(d[33]), "+r"(d[34]), "+r"(d[35]), "+r"(d[36]), "+r"(d[37]),
          "+r"(d[38]), "+r"(d[39]), "+r"(d[40]), "+r"(d[41]), "+r"(d[42]), "+r"(d[43]),
          "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-baef253f forget-457d1241 multiply-977b9126 leave-64a84e10
//> mainloop-31c3c1e1 wrapping_add-ed71f3a8
__device__ __forceinline__ int body(const int acc, const int bias, const int c) {
    return wrapping_add(c, wrapping_add(acc, bias));
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const i32* bias;
    const i32* out;
    long long ld_out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        i32 bias;
        __align__(16) i32 out[COUNT];
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        read.bias = bias[row];
        fetch<ALIGN_out>(read.out, out + row * ld_out + col, valid);
    }
    // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT],
        const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.bias), to_value(read.out[i]));
        }
    }
};

// The address of a place in this block's shared memory, but in the block of that rank.
// (PTX ISA, mapa)
__device__ __forceinline__ unsigned at_rank(const Sum* place, unsigned rank) {
    unsigned remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(remote)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(place))), "r"(rank));
    return remote;
}

// Stores four sums there. (PTX ISA, st)
__device__ __forceinline__ void store_at_rank(unsigned remote, const Sum* sums) {
    asm volatile("st.shared::cluster.v4.s32 [%0], {%1, %2, %3, %4};"
                 :: "r"(remote), "r"(sums[0]), "r"(sums[1]), "r"(sums[2]), "r"(sums[3])
                 : "memory");
}

// Sends the sums of each other block's columns to that block.
//
// received(SPLITS - 1, ATOMS_M * BANDS, CONSUMERS, 4): of each other block, in the order of the
// ranks, the sums of a lane in bands of 8 columns, so that warps access whole lines.
// (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void send_sums(const Accumulators& acc, Shared& shared, int rank) {
    constexpr int BANDS = STORED_N / 8;
    static_assert(sizeof(shared.received[0]) == ATOMS_M * BANDS * CONSUMERS * 4 * sizeof(Sum),
                  "a part has four sums of each lane for each band");
#pragma unroll
    for (int to = 0; to < SPLITS; ++to) {
        if (to == rank) continue;
        const Sum* const part = shared.received[rank - (rank > to)] + threadIdx.x * 4;
        const unsigned remote = at_rank(part, to);
#pragma unroll
        for (int i = 0; i < ATOMS_M * BANDS; ++i) {
            const Sum* const sums = &acc[i / BANDS][(to * BANDS + i % BANDS) * 4];
            store_at_rank(remote + i * CONSUMERS * 4 * unsigned(sizeof(Sum)), sums);
        }
    }
}

// Reduces the sums of the blocks that share a tile, in the order of their ranks. Each block does so
// for its STORED_N columns of each atom, and then has them in the first sums of its own. Indices of
// sums are constants, `from` and `to` too, so that sums stay in registers.
__device__ __forceinline__ void reduce(Accumulators& acc, Shared& shared, int rank) {
    constexpr int BANDS = STORED_N / 8;
    release_shared();
    cluster_meet();  // every block has read its ring
    send_sums(acc, shared, rank);
    cluster_sync();  // all parts are there, and no block accesses another one after that
#pragma unroll
    for (int i = 0; i < ATOMS_M * BANDS; ++i) {
        Sum total[4] = {};
#pragma unroll
        for (int from = 0; from < SPLITS; ++from) {
            const Sum* const own = &acc[i / BANDS][(from * BANDS + i % BANDS) * 4];
            Sum sums[4] = {own[0], own[1], own[2], own[3]};
            if (from != rank) {
                const Sum* const part = shared.received[from - (from > rank)] + threadIdx.x * 4;
                load<16>(sums, part + i * CONSUMERS * 4, 4);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) total[j] = from == 0 ? sums[j] : total[j] + sums[j];
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i / BANDS][i % BANDS * 4 + j] = total[j];
    }
}
//> in_slab-67c73dd7
// Stages PASS_BANDS bands of 8 columns of an atom, transposed: a row of the slab is one n. Of the
// atom a warp holds 16 rows, a lane two neighbours along n of rows lane / 4 and lane / 4 + 8.
// (PTX ISA, Register fragments for wgmma, D)
__device__ __forceinline__ void stage(Staged* slab, const Accumulators& acc, int pass) {
    const int lane = threadIdx.x % 32, of_group = threadIdx.x / 32 % 4;
    const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
#pragma unroll
    for (int band = 0; band < PASS_BANDS; ++band) {
        if (band0 + band >= STORED_N / 8) break;  // the last pass of an atom has fewer
        const Sum* const sums = &acc[atom][(band0 + band) * 4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = band * 8 + lane % 4 * 2 + j % 2;
            const int col = of_group * 16 + lane / 4 + j / 2 * 8;
            slab[in_slab(row, col)] = sums[j];
        }
    }
}
//> Chunk-947eec42 read-e96a6a2f
// Stores body(acc) to the warpgroup's part of the output, in PASSES passes.
// Each is staged in a slab, as sums, so that each thread then stores OUT_VECTOR elements of one
// row. What the body reads for FEW chunks is on its way meanwhile: it comes from far. Rows and
// columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, Staged* slabs, const Values& values,
    Out* out, long long ld, int row0, int col0, int rows, int cols) {
    constexpr int SLAB = SLAB_ROWS * SLAB_COLS, CHUNKS = SLAB / OUT_VECTOR;
    constexpr int EACH = (CHUNKS - 1) / 128 + 1, FEW = EACH < 4 ? EACH : 4;
    const int thread = threadIdx.x % 128;
    slabs += threadIdx.x / 128 * SLABS * SLAB;
    consumers_sync();  // the ring has been read
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        // The slab's place in the output, and where that, or the tile, ends.
        const int atom = pass / ATOM_PASSES, band0 = pass % ATOM_PASSES * PASS_BANDS;
        const int first_row = row0 + band0 * 8, first_col = col0 + atom * MMA_M;
        const int last_row = min(rows, row0 + STORED_N), last_col = cols;
        Staged* const slab = slabs + pass % SLABS * SLAB;
        Values::Read<OUT_VECTOR> of_chunks[FEW];
        read(of_chunks, values, thread, first_row, first_col, last_row, last_col);
        stage(slab, acc, pass);
        group_sync();  // which also says that the slab before has been read
#pragma unroll 1
        for (int first = thread; first < CHUNKS; first += FEW * 128) {
            if (first != thread) {
                read(of_chunks, values, first, first_row, first_col, last_row, last_col);
            }
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                const auto [from, row, col, valid] =
                    chunk_of(first + i * 128, first_row, first_col, last_row, last_col);
                if (valid == 0) continue;
                Sum sums[OUT_VECTOR];
                load<16>(sums, slab + from, OUT_VECTOR);
                Result results[OUT_VECTOR];
                values.apply(results, sums, of_chunks[i]);
                store<ALIGN_out>(out + row * ld + col, results, valid);
            }
        }
    }
}

// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void
__cluster_dims__(SPLITS, 1, 1) __launch_bounds__(THREADS, 1) wgmma_split_bytes_eea32703f4920730(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const i32* bias,
    i32* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        initialise(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x / SPLITS));
    const Part part = part_of_block(k);
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, a, b, part.from, part.k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        fewer_registers<24>();
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            produce(ring, place, block, a, b, part.from, part.k, started);
        }
        return;
    }
    more_registers<240>();
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    mainloop(acc, ring, place, warp, part.k);
    reduce(acc, shared, cluster_rank());
    const Values values = {bias, out, ld_out};
    epilogue(acc, shared.staged, values, out, ld_out, block.n + warp.n + cluster_rank() * STORED_N,
        block.m + warp.m, n, m);
}
