// reduced_integers, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 3,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn reduced_integers(
//         a: Mat<i8, M, K>,
//         b: Mat<i8, N, K>,
//         bias: Mat<i32, M, N>,
//     ) -> (Vector<i32, M>, Vector<i32, N>)
//
// out0(M), out1(N) = body(sum over K of a * b), for any M, N and K.
// K is split among 3 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_bias = 16;
//> i8-b75b6f90 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-6714319e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-71da49eb TileB-3ad4e392
// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { int out0; int out1; };  // of the body
constexpr int OUT_VECTOR = 4;  // elements of a row that a thread has
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-790bd96f share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581
//> cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a copy_async-cc226ba7
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-f0d8a242 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 wrapping_add-ed71f3a8
__device__ __forceinline__ Result body(const int acc, const int bias) {
    const int sum_of_products = wrapping_add(acc, bias);
    return Result{sum_of_products, sum_of_products};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<i32, ALIGN_bias> bias;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<i32, COUNT> bias;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        bias.read(read.bias, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.bias[i]));
        }
    }
};

// No output is a matrix.
struct Outputs {
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {}
};
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-28e1e99f
//> load_staged-d1bbd2b1 load_sums-7ebf2644
typedef int Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    i32* out0;  // its sum
//| partials_of-e7eb10d6
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        return 0;
    }
//| element-f56485eb
    __device__ __forceinline__ static Reducible combined(
        int number, Reducible one, Reducible other) {
        return int(unsigned(one) + unsigned(other));
    }
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out0[line], value);
    }
};


// What each column of the output is reduced to.
struct ColumnReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    i32* out1;  // its max
//| partials_of-e7eb10d6
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        return int(0x80000000);
    }
//| element-9d33ecbd
    __device__ __forceinline__ static Reducible combined(
        int number, Reducible one, Reducible other) {
        return max(one, other);
    }
//| store-6f2e0ff5
//> staged_column-1a8901b3
//| StagedTile-ece1999d row-c72605ff col-127be05f at-34d13408 load-bff90474 part_of_rows-6b298f08

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e

//| Columns-d9b162bd start-6ee6b977 take-86a1898c reduce-ae9f6002
//> finish-92cb80d2
//| Reductions-58613a52 start-8395c9ae take-efa0dc0b reduce-e96a1c0c finish-cdd76ad2
//> apply_and_reduce-852200da epilogue-cf42c007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) reduced_integers_261a2d76ff7a34c3(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const i8* b, long long ld_b,
    const i32* bias, long long ld_bias,
    i32* out0,
    i32* out1,
    void* partials, unsigned* arrivals,
    void* partials_m, unsigned* arrivals_m,
    void* partials_n, unsigned* arrivals_n) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(a, ld_a, part), ld_a, block.m, m, part.k);
    SourceB source_b(skip<TileB>(b, ld_b, part), ld_b, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {bias, ld_bias};
    const Outputs outputs = {};
    const RowReductions of_rows = {RowReductions::partials_of(partials_m, arrivals_m, 0, m, n),
        out0};
    const ColumnReductions of_columns =
        {ColumnReductions::partials_of(partials_n, arrivals_n, 0, n, m), out1};
    epilogue(acc, shared.staged, warp, values, outputs, {{of_rows}, {of_columns}}, block.m, block.n,
        m, n);
}
