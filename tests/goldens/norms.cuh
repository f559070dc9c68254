// norms, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 128, 32],
//         warps   = [2, 2],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn norms(
//         x: Mat<f16, M, K>,
//         w: Mat<f16, N, K>,
//         bias: Vector<f16, N>,
//     ) -> (Mat<f16, M, N>, Vector<f32, M>, Vector<f32, M>)
//
// out0(M, N), out1(M), out2(M) = body(sum over K of x * w), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_w = 16;
constexpr int ALIGN_bias = 16;
constexpr int ALIGN_out0 = 16;
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 128, BLK_N = 128, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 2, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 65536;
//| assertions-9dba4853
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-fad71899 TileB-de628b54
// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = 8;  // elements of a row that a thread has
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b SourceA-aac213fc ldmatrix_x4-d405aef7 matrix_mn-afef1e3e
//> matrix_row-ea215ecd shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1
__device__ __forceinline__ Result body(const float acc, const float bias) {
    const float h = acc + bias;
    return Result{h, h * h, h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-4ccfa519 Elements-4e1a4dc1
//| VectorRun-1e0707d9 read-9e33f8b1

//| Values-dc19a088 apply-54b4d9ef

//| Output-c4830f86 store-74deb253

// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f16, float, ALIGN_out0> out0;
//| store-b0664299
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 2;
    static constexpr int LINES = 128, ACROSS = 128;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out1;  // its sum
    f32* out2;  // its abs_max
//| partials_of-37ee2092
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        if (number == 0) return 0.0f;
        return 0.0f;
    }
    __device__ __forceinline__ static Reducible element(int number, const Result& result) {
        if (number == 0) return result.out1;
        return fabsf(result.out2);
    }
//| combined-b257786d
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        if (number == 0) return from_value(out1[line], value);
        return from_value(out2[line], value);
    }
};
//> staged_column-1a8901b3
//| StagedTile-ece1999d row-c72605ff col-127be05f at-34d13408 load-bff90474 part_of_rows-6b298f08

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e
//> count_in-590de4b0 finish-92cb80d2
//| Reductions-2819514c start-8683b382 take-88968025 reduce-d8c5f4b3 finish-b043bee4
//> apply_and_reduce-9217c08e epilogue-cf42c007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) norms_b206452ef6e799df(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* w, long long ld_w,
    const f16* bias,
    f16* out0, long long ld_out0,
    f32* out1,
    f32* out2,
    void* partials_m, unsigned* arrivals_m) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    SourceB source_b(w, ld_w, block.n, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {bias};
    const Outputs outputs = {out0, ld_out0};
    const RowReductions of_rows = {RowReductions::partials_of(partials_m, arrivals_m, 0, m, n),
        out1, out2};
    epilogue(acc, shared.staged, warp, values, outputs, {{of_rows}}, block.m, block.n, m, n);
}
