// four, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [48, 40, 8],
//         warps   = [1, 1],
//         mma     = m8n8k4,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 1, 2],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn four(
//         a: Mat<f64, M, K>,
//         b: Mat<f64, N, K>,
//         bias: Vector<f64, M>,
//     ) -> (Mat<f64, M, N>, Mat<f32, M, N>, Mat<bf16, M, N>, Mat<f64, M, N>)
//
// out0(M, N), out1(M, N), out2(M, N), out3(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_out0 = 16;
constexpr int ALIGN_out1 = 16;
constexpr int ALIGN_out2 = 16;
constexpr int ALIGN_out3 = 16;
//> bf16-3500fa9b f32-4eeb73e9 f64-ec004cce
// The tiling: block > warp > mma.
constexpr int BLK_M = 48, BLK_N = 40, BLK_K = 8;
constexpr int WARPS_M = 1, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 8, MMA_N = 8, MMA_K = 4;
constexpr int A_REGISTERS = 2, B_REGISTERS = 2, C_REGISTERS = 2;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 16896;
//| assertions-9dba4853
//> Sum-dc4a8a91
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-bde138d4 TileB-c39ea9b9
// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { double out0; float out1; float out2; double out3; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(f64));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f32));
constexpr int OUT2_VECTOR = ALIGN_out2 / int(sizeof(bf16));
constexpr int OUT3_VECTOR = ALIGN_out3 / int(sizeof(f64));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, fewer(OUT1_VECTOR, fewer(OUT2_VECTOR, OUT3_VECTOR)));
static_assert(BLK_N % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_M / PASS_ATOMS;
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
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-471e0a2c element-72f8713d
//> shared_to_register-98ab32f5 mma_atom-b36b4035 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1
__device__ __forceinline__ Result body(const double acc, const double bias) {
    const double z = acc + bias;
    const float y = float(z);
    return Result{z, y, y > 0.0f ? y : 0.0f, -z};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

// What the body reads beside the accumulator.
struct Values {
    VectorSame<f64, double> bias;
//| apply-54b4d9ef

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f64, double, ALIGN_out0> out0;
    Output<f32, float, ALIGN_out1> out1;
    Output<bf16, float, ALIGN_out2> out2;
    Output<f64, double, ALIGN_out3> out3;
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        out0.store<&Result::out0>(results, row, col, valid);
        out1.store<&Result::out1>(results, row, col, valid);
        out2.store<&Result::out2>(results, row, col, valid);
        out3.store<&Result::out3>(results, row, col, valid);
    }
};
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) four_c719d29d5bc3bca2(
    int m, int n, int k,
    const f64* a, long long ld_a,
    const f64* b, long long ld_b,
    const f64* bias,
    f64* out0, long long ld_out0,
    f32* out1, long long ld_out1,
    bf16* out2, long long ld_out2,
    f64* out3, long long ld_out3) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1, out2, ld_out2, out3, ld_out3};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
