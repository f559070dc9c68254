// converted_first, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 32, 64],
//         warps   = [2, 2],
//         mma     = m16n8k8,
//         copy    = ld_global(8),
//         swizzle(a = [1, 4, 3], b = [1, 5, 1]),
//         stages  = 2,
//         raster  = along_m(8),
//         split_k = 2,
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn converted_first(w: Mat<u4x2, M, K>, x: Mat<f16, N, K>) -> Mat<f32, N, M>
//
// out(N, M) = body(sum over K of w * x), for any M, N and K.
// K is split among 2 blocks by tiles of BLK_K; a block without a tile adds nothing.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_w = 16;
constexpr int ALIGN_x = 16;
constexpr int ALIGN_out = 16;
//> f16-14d17a46 f32-4eeb73e9 u4x2-ab03ce15
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 32, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 2, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 2, RASTER = 8;
constexpr int SHARED_BYTES = 12288;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `w`, in shared memory.
struct TileA : RowTile<u4x2, BLK_M, BLK_K / 2, Swizzle<1, 4, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_w < 8 ? ALIGN_w : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 2;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 4;  // neighbours along k of a lane
};

// B, the operand `x`, in shared memory.
struct TileB : RowTile<f16, BLK_N, BLK_K, Swizzle<1, 5, 1>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = 8;
    static constexpr int LOAD_BYTES = ALIGN_x < 8 ? ALIGN_x : 8;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 16;  // neighbours along k of a lane
};

//| Out-f82c88f3
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> SPLITS-8de38f61 share_of_block-7d2c9d4c part_of-4dbf894b skip-2826cd4d TileIndex-8baeca33
//> raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb wait_for_predecessor-370f9581 Word-b35982a9
//> store_shared-96ebfacf threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a

//| Held-80964c3c in_tile-5e4af64f
//> load_copy-c5af0e73 global_to_register-169c0aec register_to_shared-aee9c5c9 SourceA-aac213fc
//> HeldA-ffb99bbd load_shared-4f0c7563 shared_to_register-9e027d45 mma_atom-3d3858dc
//> sub_f16x2-af095d53 to_factor-d4ecbe79
// The same of u4x2. 0x6400 is 1024 as f16, whose last bit is worth 1: with x for its low 4 bits
// it is 1024 + x.
template <>
__device__ __forceinline__ void to_factor<u4x2>(unsigned (&pairs)[4], const unsigned* run) {
    const unsigned biased = run[0];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = biased >> 4 * i & 0x000f000f | 0x64006400;
        pairs[i] = sub_f16x2(pair, 0x64006400);
    }
}

constexpr int INSTRUCTIONS = 4;  // of an atom for a k-step
//> mma-429df240 Sources-730e5993
//| Pipeline-24ecdc20 Pipeline-cc9add5e begin_tile-55a8a3bd end_loads-7543d37d next_tile-39294590
//| finish-66502710
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-de9848cb load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Register-2bcea346 count_in-590de4b0 split_k-b1e3c361 Pair-1190f24c stage-e20323ac
//> load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_first_0e0abe374472e8c5(
    int m, int n, int k,
    const u4x2* w, long long ld_w,
    const f16* x, long long ld_x,
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
    SourceA source_a(w + part.from / 2, ld_w, block.m, m, (part.k + 1) / 2);
    SourceB source_b(skip<TileB>(x, ld_x, part), ld_x, block.n, n, part.k);
    mainloop(acc, shared, warp, {source_a, source_b}, part.k);
    if (!split_k(acc, share, partials, arrivals)) return;
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
