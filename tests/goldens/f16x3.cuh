// f16x3, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [4, 2],
//         mma     = m16n8k16,
//         precision = f16x3,
//         promote = 64,
//         copy    = cp_async(16, cg),
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn f16x3(a: Mat<f32, M, K>, b: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of a, which runs along K, is 2^exponents_a[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_exponents_b = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 64;
constexpr int WARPS_M = 4, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = WARP_K / UNIT * 6;  // of a stage: `steps_of`
constexpr int STAGES = 3, RASTER = 8;
constexpr int PROMOTED = 2;  // k-tiles whose products the tensor cores sum
constexpr int SHARED_BYTES = 98304;
//| assertions-d31767f0
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-efd4f638 TileB-1004c4a6
//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> Steps-6253ec8b steps_of-428ba267 load_fragments-abee12e6 promote-0b80af67 mainloop-11c7047d
//> unscale-47781784 body-0ae81b68 Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519
//> Elements-4e1a4dc1 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| VectorRun-1e0707d9 read-9e33f8b1

// What the body reads beside the accumulator.
struct Values {
    VectorSame<i32, int> exponents_a;
    VectorRun<i32, int, ALIGN_exponents_b> exponents_b;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_exponents_a = exponents_a.read<COUNT>(row, col, valid);
        const auto at_exponents_b = exponents_b.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_exponents_a[i], at_exponents_b[i]);
        }
    }
};

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) f16x3_88d872ae83f5bcdd(
    int m, int n, int k,
    const f16* a, long long ld_a,
    const int* exponents_a,
    const f16* b, long long ld_b,
    const int* exponents_b,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(a, ld_a, block.m, m, k);
    SourceB source_b(b, ld_b, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {exponents_a, exponents_b};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
