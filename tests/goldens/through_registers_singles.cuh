// through_registers_singles, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 24],
//         warps   = [2, 2],
//         mma     = m16n8k8,
//         precision = tf32,
//         copy    = ld_global(16),
//         swizzle(a = [3, 2, 3], b = [1, 2, 3]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn through_registers_singles(a: Mat<f32, K, M>, b: Mat<f32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 24;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 24576;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f32, BLK_K, BLK_M, Swizzle<3, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int ATOM_REGISTERS = 4, BANDS = 2;  // 8 rows of m (or n) each
    static constexpr int COLUMN_BITS = 0x3f;  // set in no column's number beyond these
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f32, BLK_N, BLK_K, Swizzle<1, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 16;  // extent of four matrices
    static constexpr int MATRICES_K = 2, MATRIX_K = 4;  // matrices along k, extent of one
};

//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 Word-b35982a9 store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd ldmatrix_x4-d405aef7 matrix_mn-afef1e3e matrix_row-ea215ecd
//> shared_to_register-69736f85 load_shared-d356da64 shared_to_register-aa517ee7 mma_atom-80b527da
//> round_tf32-b524d82c mma-8471a398 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 body-de9848cb load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) through_registers_singles_01bb743659ac1028(
    int m, int n, int k,
    const f32* a, long long ld_a,
    const f32* b, long long ld_b,
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
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
