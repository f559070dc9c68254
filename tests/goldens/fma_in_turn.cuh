// fma_in_turn, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 16],
//         warps   = [1, 2],
//         mma     = fma(4, 4),
//         copy    = ld_global(4),
//         swizzle(a = [2, 2, 4], b = [0, 2, 2]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_in_turn(
//         x: Mat<f32, M, K>,
//         a: Mat<f32, K, N>,
//         b: Mat<f32, K, N1>,
//         c: Mat<f32, K, N2>,
//         d: Mat<f32, K, N3>,
//         of_a: Mat<f32, M, N>,
//         of_b: Mat<f32, M, N1>,
//         of_c: Mat<f32, M, N2>,
//         of_d: Mat<f32, M, N3>,
//     ) -> (Mat<f32, M, N>, Mat<f32, M, N1>, Mat<f32, M, N2>, Mat<f32, M, N3>)
//
// out0(M, N), out1(M, N1), out2(M, N2), out3(M, N3) =
//     body(sums over K of x * a, x * b, x * c and x * d), for any M, N, N1, N2, N3 and K.
// The tiles of an output follow those of the one before: a block computes one of one output.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_a = 16;
constexpr int ALIGN_esc_of__a = 16;
constexpr int ALIGN_out0 = 16;
//> f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 16;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 2;
constexpr int A_REGISTERS = 8, B_REGISTERS = 8, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853

constexpr int SEGMENTS = 4;  // products with columns of their own
//> Sum-7e5ef4ba
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f32, BLK_M, BLK_K, Swizzle<2, 2, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 4;
    static constexpr int LOAD_BYTES = ALIGN_x < 4 ? ALIGN_x : 4;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = MMA_K, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-cf0d52fa held-d4baa71f

// B, one of `a`, `b`, `c`, `d`, in shared memory.
struct TileB : RowTile<f32, BLK_K, BLK_N, Swizzle<0, 2, 2>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 4;
    static constexpr int LOAD_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-96e64508 held-4030c483

// The output: M rows of N elements, staged PASS_RUNS runs of each lane at a time.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out0 / int(sizeof(Out));  // elements of one store
constexpr int PASS_RUNS = 2, PASSES = RUNS_M / PASS_RUNS;
constexpr int PASS_ROWS = PASS_RUNS * (LANES_M * RUN_M), WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e
//| Segments-c73a4cea columns-e8c09564 place-f1922171
//> warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd load_shared-4f0c7563 shared_to_register-f92d1137 factor-26fda35f
//> mma_atom-37b13ef8 mma-d39a4fa1 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-4efc2cf5 mainloop-bfc518d1
__device__ __forceinline__ float body(const float acc, const float esc_of__a) {
    return acc + esc_of__a;
}
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f32, ALIGN_esc_of__a> esc_of__a;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> esc_of__a;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        esc_of__a.read(read.esc_of__a, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.esc_of__a[i]));
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out0> Outputs;
//> Run-1a5ab7c1 stage-8e9c8b68 load_staged-4f70a126 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_in_turn_95b92b92ab575b40(
    int m, int n, int k, int n1, int n2, int n3,
    const f32* x, long long ld_x,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
    const f32* c, long long ld_c,
    const f32* d, long long ld_d,
    const f32* esc_of__a, long long ld_esc_of__a,
    const f32* esc_of__b, long long ld_esc_of__b,
    const f32* esc_of__c, long long ld_esc_of__c,
    const f32* esc_of__d, long long ld_esc_of__d,
    f32* out0, long long ld_out0,
    f32* out1, long long ld_out1,
    f32* out2, long long ld_out2,
    f32* out3, long long ld_out3) {
    extern __shared__ __align__(256) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Segments segments = {{n, n1, n2, n3}};
    const Block block = segments.place(raster(m, segments.columns(), int(blockIdx.x)));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB
        source_b(of_segment(block.segment, a, b, c, d),
        of_segment(block.segment, ld_a, ld_b, ld_c, ld_d), block.n,
        of_segment(block.segment, n, n1, n2, n3), k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {of_segment(block.segment, esc_of__a, esc_of__b, esc_of__c, esc_of__d),
        of_segment(block.segment, ld_esc_of__a, ld_esc_of__b, ld_esc_of__c, ld_esc_of__d)};
    const Outputs outputs = {of_segment(block.segment, out0, out1, out2, out3),
        of_segment(block.segment, ld_out0, ld_out1, ld_out2, ld_out3)};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m,
        of_segment(block.segment, n, n1, n2, n3));
}
