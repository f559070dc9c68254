// split_integers_km_kn_nm, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 32],
//         warps   = [1, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [2, 4, 3], b = [3, 4, 3]),
//         stages  = 2,
//         raster  = along_n(2),
//         split_k = 4,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn split_integers_km_kn_nm(a: Mat<i8, K, M>, b: Mat<u8, K, N>) -> Mat<i32, N, M>
//
// out(N, M) = body(sum over K of a * b), for any M, N and K.
// K is split among 4 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-af8d79a3 i8-b75b6f90 u8-be4ac2a5 i32-10da165a
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 32;
constexpr int WARPS_M = 1, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 2, B_REGISTERS = 1, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 2;
constexpr int SHARED_BYTES = 6144;
//| assertions-9dba4853
//> Sum-6714319e
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `a`, in shared memory.
struct TileA : RowTile<i8, BLK_K, BLK_M, Swizzle<2, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? 1 : ALIGN_a < 16 ? ALIGN_a : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int X4_BYTES_MN = 32;  // extent of four matrices
    static constexpr bool HALVES_OF_K = false, BANDS_FIRST = false;
    static constexpr int INTERLEAVED = 2;  // bands whose lines are interleaved
};

// B, the operand `b`, in shared memory.
struct TileB : RowTile<u8, BLK_K, BLK_N, Swizzle<3, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = false;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? 1 : ALIGN_b < 16 ? ALIGN_b : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int X4_BYTES_MN = 32;  // extent of four matrices
    static constexpr bool HALVES_OF_K = false, BANDS_FIRST = false;
    static constexpr int INTERLEAVED = 2;  // bands whose lines are interleaved
};

//| Out-3f28f348
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-92c34d85 share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-ecceebd9
//> raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581
//> cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-10650f6a copy_async-cc226ba7
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4_trans-e73c3889 bytes_mn-cb61c647
//> place-4b16cf09 shared_to_register-09d09e70
// c(16x8) += a(16x16) * b(16x8). (PTX ISA, mma.m16n8k16)
__device__ __forceinline__ void mma_atom(int (&c)[4], const unsigned* a, const unsigned* b) {
    asm(
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
//> mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-09afdba5 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 line-84b69f4d RUN-9d3a4bf1
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) split_integers_km_kn_nm_dcbfdd2b7165f8ce(
    int m, int n, int k,
    const i8* a, long long ld_a,
    const u8* b, long long ld_b,
    i32* out, long long ld_out,
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
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
