// packed_early, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 8, 128],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle(a = [0, 0, 0], b = [3, 3, 4]),
//         stages  = 3,
//         raster  = along_m(8),
//         pdl     = [w, s, c],
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn packed_early(
//         w: Mat<u4x32, M, K>,
//         s: Tiled<f32, M, K, 1, 32>,
//         c: Tiled<f32, M, K, 1, 32>,
//         x: Mat<bf16, N, K>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of (w * s + c) * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A, B and scales,
// of their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_w = 16;
constexpr int ALIGN_s = 16;
constexpr int ALIGN_c = 16;
constexpr int ALIGN_x = 16;
constexpr int ALIGN_out = 16;
//> bf16-3500fa9b f32-4eeb73e9 u4x32-e8eddb30
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 8, BLK_K = 128;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 32;
constexpr int A_REGISTERS = 2, B_REGISTERS = 4, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 15360;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8

// A, the operand `w`, in shared memory.
struct TileA : RowTile<u4x32, BLK_M / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_w < 16 ? ALIGN_w : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 32, VECTOR_BYTES = 8;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

// B, the operand `x`, in shared memory.
struct TileB : RowTile<bf16, BLK_N, BLK_K, Swizzle<3, 3, 4>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_x < 16 ? ALIGN_x : 16;
    static constexpr bool PAST_L1 = true;
    static constexpr int ROW_THREADS = THREADS;  // the most that share the copies of a row
    static constexpr bool TRANSPOSED = false;
    static constexpr int BANDS = 1;  // of eight lines of an atom
    static constexpr int MATRICES_K = 4, MATRIX_K = 8;  // matrices along k, extent of one
};

// The scales of A in a stage, a row for each line.
struct TileScalesA : RowTile<f32, BLK_M, BLK_K / 32, Swizzle<0, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int COPY_BYTES = ALIGN_s < 16 ? ALIGN_s : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;
    static constexpr int STAGE_OFFSET = TileA::BYTES + TileB::BYTES;
};

// The offsets of A in a stage, a row for each line.
struct TileOffsetsA : RowTile<f32, BLK_M, BLK_K / 32, Swizzle<0, 2, 3>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int COPY_BYTES = ALIGN_c < 16 ? ALIGN_c : 16;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = THREADS;
    static constexpr int STAGE_OFFSET = TileScalesA::STAGE_OFFSET + TileScalesA::BYTES;
};

constexpr int SCALES_END = TileOffsetsA::STAGE_OFFSET + TileOffsetsA::BYTES;  // of a stage's bytes

//| Out-b8c21857
static_assert(PASSES * PASS_ATOMS == ATOMS_N, "passes tile the warp");
//> Stage-6d92967c
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 launch_dependents-600f2eaa cp_async_ca-f0f8d2e0
//> cp_async_cg-48f32de4 store_shared-5a3e414c copy_async-cc226ba7 cp_async_commit-1f928025
//> cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-7d5c0a8a
//> global_to_shared-3341ab9b SourceA-aac213fc
// Where the scales are copied from.
struct SourceScales {
    Source<TileScalesA> scales_a;
    Source<TileOffsetsA> offsets_a;
};

// Issues the copies of the next k-tile's scales to a stage.
__device__ __forceinline__ void global_to_shared(unsigned stage, SourceScales& from) {
    global_to_shared(stage + TileScalesA::STAGE_OFFSET, from.scales_a);
    global_to_shared(stage + TileOffsetsA::STAGE_OFFSET, from.offsets_a);
}
//> ldmatrix_x4-d405aef7 shared_to_register-ae9c5728 load_shared-4f0c7563
//> shared_to_register-6510e63e mma_atom-23e84999 fma_bf16x2-64d01993 take_pairs-35c2c71f
//> to_factor-f1a4fc3b
typedef TileA PackedTile;  // whose numbers are packed
//> to_factors-cddc9345
constexpr int INSTRUCTIONS = 2;  // of an atom for a k-step
//> mma-aae853de Sources-ef636001 global_to_shared-9c6f938d
// Starts the copies of all stages but the last. The predecessor kernel does not write A, whose
// copies are issued before the wait. The first group of copies has all of them.
__device__ __forceinline__ void prologue(unsigned ring, Sources& from) {
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES, from.a);
        global_to_shared(ring + tile * STAGE_BYTES, from.scales);
    }
    wait_for_predecessor();
#pragma unroll
    for (int tile = 0; tile < STAGES - 1; ++tile) {
        global_to_shared(ring + tile * STAGE_BYTES + TileA::BYTES, from.b);
        cp_async_commit();
    }
    launch_dependents();
}

//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 load_scale-a5bac9b9 Unscaled-198a9b26
//| Scales-4190014c load-3797edd6 value-a03a667e

//| ScalesWithOffsets-4bd252dd load-a5f02a8a value-644aec53

// The scales of A: one for 1 x 32 of its lines and of k.
struct ScaledLinesA {
    typedef f32 Element;
    static constexpr int LINES = 1, K = 32, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
    // The line of a lane's scale i, from the first of the warp on.
    static __device__ __forceinline__ int line(int i) { return i * 8 + threadIdx.x % 32 / 4; }
};

// The offsets of A, of the same tiles.
struct OffsetLinesA {
    typedef f32 Element;
    static constexpr int LINES = 1, K = 32, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
    // The line of a lane's scale i, from the first of the warp on.
    static __device__ __forceinline__ int line(int i) { return i * 8 + threadIdx.x % 32 / 4; }
};
typedef ScalesWithOffsets<Scales<ScaledLinesA, TileScalesA>, Scales<OffsetLinesA, TileOffsetsA>>
    ScalesA;

typedef Unscaled ScalesB;

constexpr int SCALED_STEPS = 1;  // k-steps whose products are summed before they are scaled

constexpr unsigned ONES = 0x3f803f80;  // a register of 1

// A has offsets, which are multiplied by the sums of B's columns: of products by ones. All rows of
// an atom have the same sums.
struct SummedLines {
    typedef TileB Tile;
    static constexpr int ATOMS = ATOMS_N, REGISTERS = B_REGISTERS, BANDS = 1;

    // sums(MMA_M x MMA_N) += ones(MMA_M x k) * b(k x MMA_N), by one instruction
    static __device__ __forceinline__ void add(Sum (&sums)[C_REGISTERS], const unsigned* b) {
        const unsigned ones[4] = {ONES, ONES, ONES, ONES};
        mma_atom(sums, ones, b);
    }
};

typedef Sum LineSums[SummedLines::ATOMS][C_REGISTERS];  // as the sums of an atom lie in a lane
//> sum_lines-c29c8465 add_scaled-903c96ac SumsOfTile-6f163622
// One k-step of both.
__device__ __forceinline__ void mma(
    SumsOfTile& sums,
    const unsigned (&a)[TileA::REGISTERS],
    const unsigned (&b)[TileB::REGISTERS]) {
    mma(sums.products, a, b);
    sum_lines(sums.lines, b);
}

// acc += the sums with their scales and offsets; the sums begin again.
__device__ __forceinline__ void scale(
    Accumulators& acc, SumsOfTile& sums, ScalesA& scales_a, ScalesB& scales_b) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int c = 0; c < C_REGISTERS; ++c) {
                const int row = 2 * i + c / 2, column = 2 * j + c % 2;  // of the lane's
                const Sum of_a = scales_a.value(row), of_b = scales_b.value(column);
                Sum& sum = sums.products[i][j][c];
                acc[i][j][c] = add_scaled(
                    acc[i][j][c], sum, sums.lines[j][c], scales_a.offset(row), of_a, of_b);
                sum = 0;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
#pragma unroll
        for (int c = 0; c < C_REGISTERS; ++c) sums.lines[i][c] = 0;
    }
}
//> load_scales-09af2cff mainloop-65b39632 body-de9848cb Word-b35982a9 load-a04a88c6 store-eb4381ca
//> Sums-4ccfa519
//| Values-b912801f apply-99fd45e8

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Pair-1190f24c stage-e20323ac load_staged-d1bbd2b1 load_sums-7ebf2644 epilogue-b5b82007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_early_caac1f38e62176c9(
    int m, int n, int k,
    const u4x32* w, long long ld_w,
    const f32* s, long long ld_s,
    const f32* c, long long ld_c,
    const bf16* x, long long ld_x,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    SourceA source_a(w, ld_w, block.m / 16, (m + 15) / 16, (k + 63) / 64 * 32);
    SourceB source_b(x, ld_x, block.n, n, k);
    SourceScales source_scales = {
        {s, ld_s, block.m, m, (k + 31) / 32},
        {c, ld_c, block.m, m, (k + 31) / 32}};
    mainloop(acc, shared, warp, {source_a, source_b, source_scales}, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.n, block.m, n, m);
}
