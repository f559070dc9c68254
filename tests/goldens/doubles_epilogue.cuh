// doubles_epilogue, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [40, 48, 12],
//         warps   = [1, 3],
//         mma     = m8n8k4,
//         copy(a = cp_async(8, ca), b = cp_async(16, cg)),
//         swizzle(a = [0, 1, 1], b = [2, 2, 2]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn doubles_epilogue(
//         a: Mat<f64, M, K>,
//         b: Mat<f64, K, N>,
//         previous: Mat<f64, N, M>,
//         bias: Vector<f64, N>,
//         alpha: f64,
//         beta: f64,
//     ) -> Mat<f64, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-8ccdff1b f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 40, BLK_N = 48, BLK_K = 12;
constexpr int WARPS_M = 1, WARPS_N = 3, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 25344;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f64, BLK_M, BLK_K, Swizzle<0, 1, 1>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 2, BANDS = 1;  // 8 rows of m (or n) each
};
//> TileB-b1aeb3c0
// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 5, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-471e0a2c element-72f8713d
//> shared_to_register-98ab32f5 mma_atom-b36b4035 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36
// x^n by repeated squaring, in the order of Rust's f64::powi.
__device__ __forceinline__ double powi_f64(const double x, const int n) {
    double power = 1.0;
    double square = x;
    for (unsigned rest = n < 0 ? 0u - n : n; rest != 0; rest >>= 1) {
        if (rest & 1) power *= square;
        square *= square;
    }
    return n < 0 ? 1.0 / power : power;
}

// x * sigmoid(v), for an x of the sign of v. The factor x is kept finite: -inf * 0 would be NaN.
// Below 0, x is multiplied by the root of e^v twice: e^v would be subnormal where the product is
// not.
__device__ __forceinline__ double times_sigmoid_f64(const double x, const double v) {
    const double root = exp(-0.5 * fabs(v));
    const double finite = fmax(x, -1.7976931348623157e308);
    return (v < 0.0 ? finite * root * root : finite) * (1.0 / fma(root, root, 1.0));
}

// x * sigmoid(x).
__device__ __forceinline__ double silu_f64(const double x) {
    return times_sigmoid_f64(x, x);
}

__device__ __forceinline__ double body(
        const double acc,
        const double previous,
        const double bias,
        const double alpha,
        const double beta) {
    return alpha * silu_f64(acc + bias) + beta * fma(powi_f64(previous, 2), 0.1, -1.0);
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixStrided-ee1055e2 read-c5ac0722

//| VectorRun-356da992 read-43182112

// What the body reads beside the accumulator.
struct Values {
    MatrixStrided<f64> previous;
    VectorRun<f64, ALIGN_bias> bias;
    double alpha;
    double beta;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f64, COUNT> previous;
        Elements<f64, COUNT> bias;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        previous.read(read.previous, row, col, valid);
        bias.read(read.bias, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(
                sums[i],
                to_value(read.previous[i]),
                to_value(read.bias[i]),
                alpha,
                beta);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) doubles_epilogue_58950af8c3931c9a(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f64* previous, long long ld_previous,
    const f64* bias,
    double alpha,
    double beta,
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
    const Values values = {previous, ld_previous, bias, alpha, beta};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
