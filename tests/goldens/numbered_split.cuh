// numbered_split, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn numbered_split(
//         a: Batched<f16, (B, H), M, K>,
//         b: Batched<f16, H, N, K>,
//     ) -> Batched<f32, (B, H), M, N>
//
// out(B, H, M, N) = body(sum over K of a * b), for any B, H, M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-c4a1b46e f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-ccb4bf8c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-8c075c96 TileB-1328fb59
//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-0eef6eaa share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-6935bf59 warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581
//> cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-cc226ba7
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 wrapping_add-ed71f3a8
// Remainder with the sign of x. A kernel cannot panic as Rust does: x % 0 and INT_MIN % -1 are 0.
__device__ __forceinline__ int wrapping_rem(const int x, const int y) {
    return y == 0 || y == -1 ? 0 : x % y;
}

__device__ __forceinline__ float body(const float acc, const int matrix) {
    return acc * float(wrapping_add(wrapping_rem(matrix, 3), 1));
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
// What the body reads beside the accumulator.
struct Values {
    int matrix;  // number of the tile's matrix in the output
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], matrix);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-28e1e99f
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) numbered_split_59ec79d6eb929acf(
    int m, int n, int k,
    const f16* a, long long ld_a, long long stride_0_a, long long stride_1_a,
    const f16* b, long long ld_b, long long stride_0_b, long long stride_1_b,
    f32* out, long long ld_out, long long stride_0_out, long long stride_1_out,
    int count_1,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, {count_1}, share.tile);
    // To the block's matrix of each batch; unbatched operands are broadcast.
    a += block.batch.i0 * stride_0_a + block.batch.i1 * stride_1_a;
    b += block.batch.i0 * stride_0_b + block.batch.i1 * stride_1_b;
    out += block.batch.i0 * stride_0_out + block.batch.i1 * stride_1_out;
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(a, ld_a, part), ld_a, block.m, m, part.k);
    SourceB source_b(skip<TileB>(b, ld_b, part), ld_b, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {(block.batch.i0) * count_1 + block.batch.i1};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
