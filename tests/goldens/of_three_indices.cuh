// of_three_indices, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 32],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn of_three_indices(
//         q: Batched<f16, (Batch, Groups, Heads), M, K>,
//         keys: Batched<f16, (Batch, Groups), N, K>,
//         bias: Batched<f32, (Groups, Heads), N>,
//         residual: Batched<f16, Groups, M, N>,
//     ) -> Batched<bf16, (Batch, Groups, Heads), M, N>
//
// out(Batch, Groups, Heads, M, N) = body(sum over K of q * keys), for any Batch, Groups, Heads, M,
//     N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_q-1fd98251 f16-14d17a46 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 18432;
//| assertions-9dba4853

typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Matrix { int i0, i1, i2; };  // of a batch, by the values of its indices
struct Counts {  // values of all indices but the outermost
    int i1, i2;
    __device__ __forceinline__ Matrix matrix(int number) const {
        return {number / i2 / i1, number / i2 % i1, number % i2};
    }
};
struct Block { Matrix batch; int m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-81d97739 TileB-f66a3290
//| Out-578c3b29
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-6935bf59 warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-1afa92a7 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| VectorRun-356da992 read-43182112

//| MatrixRun-2918a2a6 read-78c20bf3

//| Values-20b0d0dc read-ef45fc9c apply-ea79d5f3

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) esc_of__three__indices_b772a334506f7bb0(
    int m, int n, int k,
    const f16* q, long long ld_q, long long stride_0_q, long long stride_1_q, long long stride_2_q,
    const f16* keys, long long ld_keys, long long stride_0_keys, long long stride_1_keys, long long
        stride_2_keys,
    const f32* bias, long long stride_0_bias, long long stride_1_bias, long long stride_2_bias,
    const f16* residual, long long ld_residual, long long stride_0_residual, long long
        stride_1_residual, long long stride_2_residual,
    bf16* out, long long ld_out, long long stride_0_out, long long stride_1_out, long long
        stride_2_out,
    int count_1,
    int count_2) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, {count_1, count_2}, int(blockIdx.x));
    // To the block's matrix of each batch; unbatched operands are broadcast.
    q += block.batch.i0 * stride_0_q + block.batch.i1 * stride_1_q + block.batch.i2 * stride_2_q;
    keys += block.batch.i0 * stride_0_keys + block.batch.i1 * stride_1_keys + block.batch.i2 *
        stride_2_keys;
    bias += block.batch.i0 * stride_0_bias + block.batch.i1 * stride_1_bias + block.batch.i2 *
        stride_2_bias;
    residual += block.batch.i0 * stride_0_residual + block.batch.i1 * stride_1_residual +
        block.batch.i2 * stride_2_residual;
    out += block.batch.i0 * stride_0_out + block.batch.i1 * stride_1_out + block.batch.i2 *
        stride_2_out;
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(q, ld_q, block.m, m, k);
    SourceB source_b(keys, ld_keys, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias, residual, ld_residual};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
