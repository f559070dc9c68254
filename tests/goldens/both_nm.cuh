// both_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [3, 3, 3], b = [2, 3, 3]),
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn both_nm(
//         a: Mat<bf16, K, M>,
//         b: Mat<bf16, K, N>,
//         scale: Vector<f32, M>,
//         residual: Mat<bf16, M, N>,
//     ) -> (Mat<i8, N, M>, Mat<f32, N, M>)
//
// out0(N, M), out1(N, M) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_a = 16;
constexpr int ALIGN_b = 16;
constexpr int ALIGN_scale = 16;
constexpr int ALIGN_out0 = 16;
constexpr int ALIGN_out1 = 16;
//> bf16-3500fa9b f32-4eeb73e9 i8-b75b6f90
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 30720;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-a6cc7308 TileB-16fa65d5
// The outputs: N rows of M elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; };  // of the body
// The elements of one store to each. A thread stores the fewest of these to all, so that the
// stores of a warp are contiguous in each output.
__device__ constexpr int fewer(int a, int b) { return a < b ? a : b; }
constexpr int OUT0_VECTOR = ALIGN_out0 / int(sizeof(i8));
constexpr int OUT1_VECTOR = ALIGN_out1 / int(sizeof(f32));
constexpr int OUT_VECTOR = fewer(OUT0_VECTOR, OUT1_VECTOR);
static_assert(BLK_M % OUT_VECTOR == 0, "stores tile a row of the block");
constexpr int PASS_ATOMS = 6, PASSES = ATOMS_N / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_N, WARP_ROWS = WARP_N;
constexpr int STAGED_ROWS = WARPS_N * PASS_ROWS, STAGED_COLS = BLK_M;
constexpr int STAGED_PITCH = STAGED_COLS + 4;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-23e84999 mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 times_sigmoid-03efee3e silu-fc8bbe93
__device__ __forceinline__ Result body(const float acc, const float scale, const float residual) {
    const float sum = acc;
    return Result{sum * scale * 8.0f, silu(sum) + residual};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| VectorRun-356da992 read-43182112

//| MatrixStrided-ee1055e2 read-c5ac0722

// What the body reads beside the accumulator.
struct Values {
    VectorRun<f32, ALIGN_scale> scale;
    MatrixStrided<bf16> residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> scale;
        Elements<bf16, COUNT> residual;
    };
    // Reads that of `row` from `col` on; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Read<COUNT>& read, int row, int col, int valid) const {
        scale.read(read.scale, row, col, valid);
        residual.read(read.residual, row, col, valid);
    }
    // Sets `results` to the body's value for COUNT elements of a row, whose
    // accumulators are `sums`.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, const Read<COUNT>& read) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], to_value(read.scale[i]), to_value(read.residual[i]));
        }
    }
};

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<i8, float, ALIGN_out0> out0;
    Output<f32, float, ALIGN_out1> out1;
//| store-28a67484
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) both_nm_f810379188b97f36(
    int m, int n, int k,
    const bf16* a, long long ld_a,
    const bf16* b, long long ld_b,
    const f32* scale,
    const bf16* residual, long long ld_residual,
    i8* out0, long long ld_out0,
    f32* out1, long long ld_out1) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {scale, residual, ld_residual};
    const Outputs outputs = {out0, ld_out0, out1, ld_out1};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
