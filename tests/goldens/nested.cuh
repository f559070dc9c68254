// nested, written by gemm-codegen from
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
//     fn nested(
//         q: Batched<f16, (Outer, Heads), M, K>,
//         keys: Batched<f16, Outer, N, K>,
//         bias: Batched<f32, (Outer, Heads), N>,
//         residual: Mat<f16, M, N>,
//     ) -> Batched<bf16, (Outer, Heads), M, N>
//
// out(Outer, Heads, M, N) = body(sum over K of q * keys), for any Outer, Heads, M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_q-05435a1d f16-14d17a46 bf16-3500fa9b f32-4eeb73e9
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
struct Matrix { int i0, i1; };  // of a batch, by the values of its indices
struct Counts {  // values of all indices but the outermost
    int i1;
    __device__ __forceinline__ Matrix matrix(int number) const {
        return {number / i1, number % i1};
    }
};
struct Block { Matrix batch; int m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's

//| TileA-d06f3817 offset-d8442927 below-35f28bc5 TRANSPOSED-ddab6f07 assertions-8316efe7

//| TileB-681593ac offset-d8442927 below-35f28bc5 TRANSPOSED-f25c199e assertions-63892e04

//| Out-eb4cecdd
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-b2273a52 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-a894416e
//> mma-d39a4fa1 mainloop-c1d8e32a body-1afa92a7 Word-b35982a9 load-a04a88c6 store-eb4381ca
//> fetch-47ed8540
//| Values-f13ba920 read-09ebeda6 apply-f2e21621
//> Pair-1190f24c stage-28e1e99f Chunk-be6e8dbc epilogue-d63d913c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) nested_b18679c00a23271b(
    int m, int n, int k,
    const f16* q, long long ld_q, long long stride_0_q, long long stride_1_q,
    const f16* keys, long long ld_keys, long long stride_0_keys, long long stride_1_keys,
    const f32* bias, long long stride_0_bias, long long stride_1_bias,
    const f16* residual, long long ld_residual,
    bf16* out, long long ld_out, long long stride_0_out, long long stride_1_out,
    int count_1) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, {count_1}, int(blockIdx.x));
    // The block's matrix of each batch; what is none is the same for all.
    q += block.batch.i0 * stride_0_q + block.batch.i1 * stride_1_q;
    keys += block.batch.i0 * stride_0_keys + block.batch.i1 * stride_1_keys;
    bias += block.batch.i0 * stride_0_bias + block.batch.i1 * stride_1_bias;
    out += block.batch.i0 * stride_0_out + block.batch.i1 * stride_1_out;
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, q, ld_q, keys, ld_keys, m, n, k);
    const Values values = {bias, residual, ld_residual};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
