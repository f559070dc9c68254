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
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-2eb17840 f64-ec004cce
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
// A in shared memory: BLK_M rows of BLK_K elements, Swizzle<0, 1, 1>.
struct TileA {
    typedef f64 Element;
    static constexpr int ROWS = BLK_M, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 8 ? ALIGN_a : 8;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-48469e88 below-7109b14e ATOM_REGISTERS-e5c45656 assertions-6d04f4f2

//| TileB-968ac923 offset-7d2c8625 below-f1df5c04 ATOM_REGISTERS-d79f3445 assertions-7562ab89

// The output: M rows of N elements, staged PASS_ATOMS atoms of each warp at a time.
typedef f64 Out;
typedef double Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int PASS_ATOMS = 5, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b load_shared-471e0a2c shared_to_register-e232c615 mma_atom-b36b4035
//> mma-d39a4fa1 mainloop-c1d8e32a
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
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540
// What the body reads beside the accumulator.
struct Values {
    const f64* previous;
    long long ld_previous;
    const f64* bias;
    double alpha;
    double beta;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f64 previous[COUNT];
        __align__(16) f64 bias[COUNT];
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            read.previous[i] = i < valid ? previous[(col + i) * ld_previous + row] : f64();
        }
        fetch<ALIGN_bias>(read.bias, bias + col, valid);
    }
    // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT],
        const Read<COUNT>& read) const {
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
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) doubles_epilogue_1cf0fd4618acc173(
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
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {previous, ld_previous, bias, alpha, beta};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
