// fma_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 16],
//         warps   = [2, 2],
//         mma     = fma(8, 4),
//         copy(a = cp_async(4, ca), b = cp_async(16, cg)),
//         swizzle = [0, 2, 2],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_nm(a: Mat<f32, M, K>, b: Mat<f32, K, N>, bias: Vector<f32, N>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 16;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 32, MMA_N = 32, MMA_K = 1;
constexpr int A_REGISTERS = 8, B_REGISTERS = 4, C_REGISTERS = 32;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 25344;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-84a3c773 assertions-7b9f2fdb
//> Lane-ac0d510e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| ColumnTile-a6a6e07e offset-59772856 below-e28fa45d

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

//| TileA-f1aac4a5 vector-2f134dba held-0112468d

//| TileB-21af8be7 vector-96e64508 held-4030c483

//| Out-e8a27816
static_assert(PASSES * PASS_RUNS == RUNS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-4f0c7563 shared_to_register-f92d1137
//> factor-26fda35f mma_atom-37b13ef8 mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689
//> prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 relu-5d722858 body-44d0bef3 Word-b35982a9
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| Values-0783cfbe apply-54b4d9ef

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Run-b1905141 stage-5cf94d03 load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_nm_8ec86ceb5dc916f3(
    int m, int n, int k,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
    const f32* bias,
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
    const Values values = {bias};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
