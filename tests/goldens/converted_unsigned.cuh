// converted_unsigned, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 64, 64],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [1, 5, 1], b = [2, 4, 2]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn converted_unsigned(x: Mat<bf16, M, K>, w: Mat<u8, N, K>) -> Mat<f32, M, N>
//
// out(M, N) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_w = 16;
constexpr int ALIGN_out = 16;
//> bf16-3500fa9b f32-4eeb73e9 u8-be4ac2a5
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 64, BLK_K = 64;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 8, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 49152;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `x`, in shared memory.
struct TileA : RowTile<bf16, BLK_M, BLK_K, Swizzle<1, 5, 1>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 16;  // neighbours along k of a lane
};

// B, the operand `w`, in shared memory.
struct TileB : RowTile<u8, BLK_N, BLK_K, Swizzle<2, 4, 2>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 4 ? 1 : ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int RUN = 8, VECTOR_BYTES = 8;  // neighbours along k of a lane
};

//| Out-b9261bc0
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-132a51e5
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-4f0c7563 shared_to_register-9e027d45
//> mma_atom-23e84999 fma_bf16x2-64d01993 to_factor-0f41276f
// The same of u8, as (x - 128) + 128: x - 128 is an i8 whose bit 7 is the other one. 0x4300 is 128
// as bf16, whose last bit is worth 1: with the low 7 bits of x it is 128 + x % 128. With the other
// bit 7 it is 128 if x is 128 or more, else 256: what is subtracted.
template <>
__device__ __forceinline__ void to_factor<u8>(unsigned (&pairs)[4], const unsigned* run) {
    constexpr unsigned ONE = 0x3f803f80, MINUS_ONE = 0xbf80bf80, BIAS = 0x43004300;  // 1, -1, 128
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned pair = __byte_perm(run[i / 2], 0x43434343, i % 2 == 0 ? 0x4140 : 0x4342);
        const unsigned less = ~pair & 0x00800080 | BIAS;
        pairs[i] = fma_bf16x2(fma_bf16x2(less, MINUS_ONE, pair & 0xff7fff7f), ONE, BIAS);
    }
}

constexpr int INSTRUCTIONS = 2;  // of an atom for a k-step
//> mma-429df240 Sources-730e5993 global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) converted_unsigned_f7c7a11b0a5a91fc(
    int m, int n, int k,
    const bf16* x, long long ld_x,
    const u8* w, long long ld_w,
    f32* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
