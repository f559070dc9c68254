// f16x3_km_kn_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 64],
//         warps   = [2, 1, 2],
//         mma     = m16n8k8,
//         precision = f16x3,
//         promote = 64,
//         copy    = ld_global(16),
//         swizzle = [3, 3, 4],
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn f16x3_km_kn_nm(
//         a: Mat<f32, K, M>,
//         b: Mat<f32, K, N>,
//         bias: Vector<f32, N>,
//     ) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Each factor is read as planes, whose rows run along K: the high and low parts of 32 of K
// in turn. `k` and BLK_K count these columns.
// Row i of a, which runs along K, is 2^exponents_a[i] times its planes.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_exponents_a = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 128;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 2;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 8;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int UNIT = 64;  // columns of 32 of K: those of each plane in turn
constexpr int STEPS_K = WARP_K / UNIT * 12;  // of a stage: `steps_of`
constexpr int STAGES = 2, RASTER = 8;
constexpr int PROMOTED = 1;  // k-tiles whose products the tensor cores sum
constexpr int SHARED_BYTES = 49152;
//| assertions-d31767f0
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<f16, BLK_M, BLK_K, Swizzle<3, 3, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = 16 < 16 ? 16 : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = false;
    static constexpr int X4_MN = 32;  // extent of four matrices
    static constexpr int MATRICES_K = 1, MATRIX_K = 8;  // matrices along k, extent of one
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<3, 3, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 16;
    static constexpr int LOAD_BYTES = 16 < 16 ? 16 : 16;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false, K_FIRST = true;
    static constexpr int X4_MN = 32;  // extent of four matrices
    static constexpr int MATRICES_K = 1, MATRIX_K = 8;  // matrices along k, extent of one
};

//| Out-d9d7e4a3
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-0eef6eaa share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-b18ece6c CONSUMERS-b87c24fb wait_for_predecessor-370f9581 Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd ldmatrix_x4-d405aef7 matrix_mn-afef1e3e matrix_row-ea215ecd
//> shared_to_register-69736f85 mma_atom-3d3858dc mma-d39a4fa1 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710

// The k-steps of A and of B that a step multiplies, the least products first. A unit has 4
// steps of each of 2 planes. Products less than what an f32 rounds off are left out.
struct Steps { int a, b; };

__device__ __forceinline__ Steps steps_of(int step) {
    constexpr Steps OF_UNIT[] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 0}, {5, 1}, {6, 2}, {7, 3}, {0,
        0}, {1, 1}, {2, 2}, {3, 3}};
    const int first = step / 12 * (UNIT / MMA_K);
    return {first + OF_UNIT[step % 12].a, first + OF_UNIT[step % 12].b};
}
//> load_fragments-abee12e6 promote-0b80af67 mainloop-11c7047d unscale-47781784 gelu-436025c9
__device__ __forceinline__ float body(
        const float acc,
        const float bias,
        const int exponents_a,
        const int exponents_b) {
    return gelu(unscale(acc, exponents_a, exponents_b) + bias);
}
//> load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1 Same-cb01456c
//| VectorSame-060903a6 read-b7008785

//| VectorRun-1e0707d9 read-9e33f8b1

// What the body reads beside the accumulator.
struct Values {
    VectorSame<f32, float> bias;
    VectorRun<i32, int, ALIGN_exponents_a> exponents_a;
    VectorSame<i32, int> exponents_b;
//| apply-a939be6f

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-e20323ac
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) f16x3_km_kn_nm_28477574927046b2(
    int m, int n, int k,
    const f16* a, long long ld_a,
    const int* exponents_a,
    const f16* b, long long ld_b,
    const int* exponents_b,
    const f32* bias,
    f32* out, long long ld_out,
    void* partials, unsigned* arrivals) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Share share = share_of_block();
    const Block block = raster(m, n, share.tile);
    const Warp warp = warps();
    Accumulators acc = {};
    const Part part = part_of(share, k);
    wait_for_predecessor();
    SourceA source_a(skip<TileA>(a, ld_a, part), ld_a, block.m, m, part.k);
    SourceB source_b(skip<TileB>(b, ld_b, part), ld_b, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {bias, exponents_a, exponents_b};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
