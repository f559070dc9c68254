// float8_scaled, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 128, 64],
//         warps   = [2, 2],
//         mma     = m16n8k32,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 4, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_89, sm_90],
//     )]
//     fn float8_scaled(
//         a: Mat<e4m3, M, K>,
//         b: Mat<e5m2, N, K>,
//         bias: Vector<bf16, N>,
//         scale_a: f32,
//         scale_b: f32,
//         scale_out: f32,
//     ) -> Mat<e4m3, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_a-a42c67e3 bf16-3500fa9b f32-4eeb73e9 e4m3-df49a261 e5m2-14bbb1cc
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 128, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 36864;
//| assertions-9dba4853
//> Sum-94c25c4c
//| TileA-48fbc6f2 offset-46c8dcf0 below-35f28bc5 TRANSPOSED-8ac1a122 assertions-2566e907

//| TileB-2e3a54ce offset-46c8dcf0 below-35f28bc5 TRANSPOSED-a37afb80 assertions-09290131

//| Out-9c565dee
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-2f0970d5 raster-774b3866 warps-6ba616d0 CONSUMERS-b87c24fb cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-10650f6a copy_async-df0420c2 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-389b7b31 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b ldmatrix_x4-d405aef7 shared_to_register-6bd16334 mma_atom-5f2fa149
//> mma-d39a4fa1 mainloop-c1d8e32a relu-5d722858 body-58bbf51d Word-b35982a9 load-a04a88c6
//> store-eb4381ca
//| Values-5e9e3a9c
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], int row, int col,
        int valid) const {
        float at_bias[COUNT];
        load<ALIGN_bias>(at_bias, bias + col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], scale_a, scale_b, scale_out);
        }
    }
};
//> Pair-1190f24c stage-28e1e99f epilogue-057b3743
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) float8_scaled_720158856462bfde(
    int m, int n, int k,
    const e4m3* a, long long ld_a,
    const e5m2* b, long long ld_b,
    const bf16* bias,
    float scale_a,
    float scale_b,
    float scale_out,
    e4m3* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    mainloop(acc, shared, block, warp, a, ld_a, b, ld_b, m, n, k);
    const Values values = {bias, scale_a, scale_b, scale_out};
    epilogue(acc, shared.staged, warp, values, out, ld_out, block.m, block.n, m, n);
}
