// deep_doubles_4, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [96, 40, 12],
//         warps   = [3, 1],
//         mma     = m16n8k4,
//         copy    = cp_async(16, ca),
//         swizzle(a = [0, 1, 1], b = [2, 1, 2]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90],
//     )]
//     fn deep_doubles_4(
//         a: Mat<f64, M, K>,
//         b: Mat<f64, K, N>,
//         bias: Vector<f64, M>,
//         alpha: f64,
//     ) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 96, BLK_N = 40, BLK_K = 12;
constexpr int WARPS_M = 3, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 39168;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f64, BLK_M, BLK_K, Swizzle<0, 1, 1>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 4, BANDS = 2;  // 8 rows of m (or n) each
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f64, BLK_K, BLK_N, Swizzle<2, 1, 2>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 2, BANDS = 1;  // 8 rows of m (or n) each
    static constexpr int COLUMN_BITS = 0x3f;  // set in no column's number beyond these
};

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 0;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 store_shared-5a3e414c copy_async-bb792eba
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-471e0a2c element-72f8713d
//> shared_to_register-98ab32f5 mma_atom-96ac783b mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 gelu_f64-caf19e77
__device__ __forceinline__ double body(const double acc, const double bias, const double alpha) {
    return alpha * gelu_f64(acc + bias);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| Values-5a2dac0a apply-8192712d

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) deep_doubles_4_8a581fc6a939dbb5(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f64* bias,
    double alpha,
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
    const Values values = {bias, alpha};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
