// packed_shallow, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 64],
//         warps   = [1, 2],
//         mma     = m16n8k8,
//         copy    = ld_global(16),
//         swizzle(a = [3, 3, 3], b = [0, 0, 0]),
//         stages  = 2,
//         raster  = along_m(8),
//         targets = [sm_75, sm_80],
//     )]
//     fn packed_shallow(x: Mat<f16, M, K>, w: Mat<u4x32, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_x-d02ca8e2 f16-14d17a46 f32-4eeb73e9 u4x32-e8eddb30
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 64;
constexpr int A_REGISTERS = 16, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false;
    static constexpr int BANDS = 2;  // of eight lines of an atom
    static constexpr int MATRICES_K = 8, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operand `w`, in shared memory.
struct TileB : RowTile<u4x32, BLK_N / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N / 2 * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 64, VECTOR_BYTES = 16;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 Word-b35982a9 store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd ldmatrix_x4-d405aef7 shared_to_register-ae9c5728 load_shared-4f0c7563
//> shared_to_register-6510e63e mma_atom-3d3858dc sub_f16x2-af095d53 take_pairs-35c2c71f
//> to_factor-3d5b64ef
typedef TileB PackedTile;  // whose numbers are packed
//> to_factors-cddc9345
constexpr int INSTRUCTIONS = 8;  // of an atom for a k-step
//> mma-d9d9240e Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-fc4bf161 restart_fragments-e6d60193 mainloop-74811f36 body-de9848cb load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_shallow_4d99f3516bc68ada(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const u4x32* w, long long ld_w,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n / 16, (n + 15) / 16, (k + 63) / 64 * 32);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
