// fma_columns_in_place, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [32, 64, 4],
//         warps   = [2, 2],
//         mma     = fma(4, 4),
//         copy    = cp_async(4, ca),
//         swizzle = [0, 2, 2],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn fma_columns_in_place(a: Mat<f32, M, K>, b: Mat<f32, N, K>, c: &mut Mat<f32, M, N>)
//
// out(M, N) = body(sum over K of a * b), for any M, N and K.
// out is c; the thread that writes an element is the only one to read it,
// and reads it before.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_a-b32511d8 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 32, BLK_N = 64, BLK_K = 4;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 32, MMA_K = 1;
constexpr int A_REGISTERS = 4, B_REGISTERS = 4, C_REGISTERS = 16;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 8704;
//| assertions-9dba4853
//> Sum-94c25c4c
//| LANES_M-c60ef827 assertions-7b9f2fdb
//> Lane-9fa24dec
//| ColumnTile-a6a6e07e offset-59772856 below-e28fa45d

// A, the operand `a`, in shared memory.
struct TileA : ColumnTile<f32, BLK_M, BLK_K, 8> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_M * A_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_a < 4 ? ALIGN_a : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
    static constexpr int LANES = LANES_M, RUN = RUN_M;
    static constexpr int VECTOR = RUN_M, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().m; }
//| vector-2f134dba held-0112468d

// B, the operand `b`, in shared memory.
struct TileB : ColumnTile<f32, BLK_N, BLK_K, 8> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = ATOMS_N * B_REGISTERS;  // of a k-step
    static constexpr int COPY_BYTES = ALIGN_b < 4 ? ALIGN_b : 4;
    static constexpr bool PAST_L1 = false;
    static constexpr int ROW_THREADS = 4;  // the most that share the copies of a row
    static constexpr int LANES = LANES_N, RUN = RUN_N;
    static constexpr int VECTOR = RUN_N, VECTOR_BYTES = VECTOR * int(sizeof(Element));  // of a load
    static constexpr int VECTOR_REGISTERS = (VECTOR_BYTES + 3) / 4;
    static constexpr int PACKED = VECTOR / VECTOR_REGISTERS;  // elements of a register
    static __device__ __forceinline__ int lane() { return ::lane().n; }
//| vector-8f772567 held-4030c483

//| Out-973f6fa4
static_assert(PASSES * PASS_RUNS == RUNS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 store_shared-5a3e414c copy_async-bb792eba
//> cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc load_shared-4f0c7563 shared_to_register-f92d1137
//> factor-26fda35f mma_atom-37b13ef8 mma-d39a4fa1 Sources-730e5993 global_to_shared-e7786689
//> prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-4efc2cf5 mainloop-bfc518d1
__device__ __forceinline__ float body(const float acc, const float c) {
    return c + acc;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3

// What the body reads beside the accumulator.
struct Values {
    MatrixRun<f32, ALIGN_out> out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> out;
    };
//| read-1a3c3189 apply-0b5e9c10

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> Run-1a5ab7c1 stage-8e9c8b68 load_staged-4f70a126 load_sums-7ebf2644 Chunk-997a6a28
//> epilogue-0a0ff1af
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) fma_columns_in_place_f31950729d5a15a7(
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
    const Values values = {out, ld_out};
    const Outputs outputs = {out, ld_out};
    epilogue(acc, shared.staged, warp, values, outputs, block.m, block.n, m, n);
}
