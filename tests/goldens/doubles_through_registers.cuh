// doubles_through_registers, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 8],
//         warps   = [1, 2],
//         mma     = m8n8k4,
//         copy    = ld_global(16),
//         swizzle(a = [3, 1, 3], b = [2, 1, 2]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn doubles_through_registers(
//         a: Mat<f64, K, M>,
//         b: Mat<f64, N, K>,
//         scale: Vector<f32, M>,
//     ) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-0f7ff06c f32-4eeb73e9 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 8;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-dc4a8a91
// A in shared memory: BLK_K rows of BLK_M elements, Swizzle<3, 1, 3>.
struct TileA {
    typedef f64 Element;
    static constexpr int ROWS = BLK_K, COLS = BLK_M;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-57845d60 below-f1df5c04 ATOM_REGISTERS-09d740e4 assertions-6d04f4f2

// B in shared memory: BLK_N rows of BLK_K elements, Swizzle<2, 1, 2>.
struct TileB {
    typedef f64 Element;
    static constexpr int ROWS = BLK_N, COLS = BLK_K;
    static constexpr int PITCH = COLS * int(sizeof(Element)), BYTES = ROWS * PITCH;
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
//| offset-7133ec24 below-f1df5c04 ATOM_REGISTERS-e5c45656 assertions-7562ab89

//| Out-b33d435c
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 load_shared-471e0a2c
//> shared_to_register-e232c615 mma_atom-b36b4035 mma-d39a4fa1 mainloop-560a2e60
__device__ __forceinline__ float body(const double acc, const float scale) {
    return float(acc) * scale;
}
//> load-a04a88c6 store-eb4381ca
//| Values-cdab3350
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        const float at_scale = to_value(scale[row]);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_scale);
        }
    }
};
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) doubles_through_registers_c340bc00ca00c7e0(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f32* scale,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {scale};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
