// deep_doubles_8, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 48, 16],
//         warps   = [2, 2],
//         mma     = m16n8k8,
//         copy    = ld_global(16),
//         swizzle(a = [3, 1, 4], b = [2, 2, 2]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn deep_doubles_8(a: Mat<f64, K, M>, b: Mat<f64, K, N>) -> Mat<f64, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 48, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 8, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 28672;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f64, BLK_K, BLK_M, Swizzle<3, 1, 4>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 8, BANDS = 2;  // 8 rows of m (or n) each
    static constexpr int COLUMN_BITS = 0x3f;  // set in no column's number beyond these
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f64, BLK_K, BLK_N, Swizzle<2, 2, 2>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 4, BANDS = 1;  // 8 rows of m (or n) each
    static constexpr int COLUMN_BITS = 0x3f;  // set in no column's number beyond these
};

// The output: N rows of M elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 3, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 2;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 Word-b35982a9 store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd load_shared-471e0a2c element-72f8713d shared_to_register-98ab32f5
// c(16x8) += a(16x8) * b(8x8). (PTX ISA, mma.m16n8k8)
__device__ __forceinline__ void mma_atom(double (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(__hiloint2double(a[1], a[0])), "d"(__hiloint2double(a[3], a[2])),
          "d"(__hiloint2double(a[5], a[4])), "d"(__hiloint2double(a[7], a[6])),
          "d"(__hiloint2double(b[1], b[0])), "d"(__hiloint2double(b[3], b[2])));
}
//> mma-d39a4fa1 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-aec37cfb load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) deep_doubles_8_a5c4c2aedcbe5a49(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    f64* out, long long ld_out) {
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
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
