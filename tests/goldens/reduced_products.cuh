// reduced_products, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 96, 32],
//         warps   = [2, 1],
//         mma     = m16n8k16,
//         copy    = cp_async(16, cg),
//         swizzle = [2, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_80, sm_86, sm_89, sm_90],
//     )]
//     fn reduced_products(
//         x: Mat<f16, M, K>,
//         gate: Mat<f16, N, K>,
//         up: Mat<f16, N, K>,
//     ) -> (Vector<f32, N>, Mat<f16, M, N>, Vector<f32, M>)
//
// out0(N), out1(M, N), out2(M) = body(sums over K of x * gate and x * up), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.

// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_x = 16;
constexpr int ALIGN_gate = 16;
constexpr int ALIGN_up = 16;
constexpr int ALIGN_out1 = 16;
//> f16-14d17a46 f32-4eeb73e9
// The tiling: block > warp > mma.
constexpr int BLK_M = 64, BLK_N = 96, BLK_K = 32;
constexpr int WARPS_M = 2, WARPS_N = 1, WARPS_K = 1;
constexpr int THREADS = 32 * WARPS_M * WARPS_N * WARPS_K;
constexpr int WARP_M = BLK_M / WARPS_M, WARP_N = BLK_N / WARPS_N, WARP_K = BLK_K / WARPS_K;
constexpr int MMA_M = 16, MMA_N = 8, MMA_K = 16;
constexpr int A_REGISTERS = 4, B_REGISTERS = 2, C_REGISTERS = 4;  // of a lane, for one atom
constexpr int ATOMS_M = WARP_M / MMA_M, ATOMS_N = WARP_N / MMA_N;
constexpr int STEPS_K = WARP_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 30720;
//| assertions-9dba4853

//| PRODUCTS-96671a45
static_assert(PART_N * PRODUCTS == WARP_N && PART_N % 8 == 0, "parts tile a warp's columns");
//> Sum-94c25c4c
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> TileA-fad71899 TileB-c89f226e
//| PartOfB-557eb909 place-a9349be5 offset-af59e5be below-4c8542ed

// The outputs: M rows of N elements each, staged PASS_ATOMS atoms of each warp at a time.
struct Result { float out0; float out1; float out2; };  // of the body
constexpr int OUT_VECTOR = 8;  // elements of a row that a thread has
constexpr int PASS_ATOMS = 2, PASSES = ATOMS_M / PASS_ATOMS;
constexpr int PASS_ROWS = PASS_ATOMS * MMA_M, WARP_ROWS = WARP_M;
constexpr int STAGED_ROWS = WARPS_M * PASS_ROWS, STAGED_COLS = BLK_N;
constexpr int STAGED_PITCH = STAGED_COLS + 8;  // padded against bank conflicts
constexpr int STAGED_SUMS = STAGED_ROWS * STAGED_PITCH;  // of all warps but those along k
constexpr int ROW_CHUNKS = STAGED_COLS / PRODUCTS / OUT_VECTOR;  // stores of a staged row
static_assert(PASSES * PASS_ATOMS == ATOMS_M, "passes tile the warp");
//> Stage-80d34ffb
//| Shared-f207f65c
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");
//> TileIndex-8baeca33 raster-2aaf554e warps-13066cf3 CONSUMERS-b87c24fb
//> wait_for_predecessor-370f9581 cp_async_ca-f0f8d2e0 cp_async_cg-48f32de4 store_shared-5a3e414c
//> copy_async-cc226ba7 cp_async_commit-1f928025 cp_async_wait-b9f72531 threads_of_row-9af3fbf8
//| Source-bc5a38b2 Source-79f2145a row-66dd1e83
//> global_to_shared-3341ab9b FactorsOfB-211a71da
//| SourcesOfB-04cf972c SourcesOfB-fa32010a
//> global_to_shared-bd6c12d3 ldmatrix_x4-d405aef7 matrix_mn-afef1e3e matrix_row-ea215ecd
//> shared_to_register-69736f85 mma_atom-a894416e mma-d39a4fa1 Sources-730e5993
//> global_to_shared-e7786689 prologue-7cfc47cf
//| Pipeline-73e1fc87 Pipeline-e71f2c2c begin_tile-9599c4ef end_loads-719c0642
//| copy_next_tile-532e0605 next_tile-b4a24545 finish-bcbaa7a2
//> load_fragments-fc4bf161 mainloop-bfc518d1 times_sigmoid-03efee3e silu-fc8bbe93
__device__ __forceinline__ Result body(const float acc, const float acc1) {
    const float h = silu(acc) * acc1;
    return Result{h, h, h};
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca Sums-c88af1a3
//| Values-b912801f apply-da750002

//| Output-c4830f86 store-74deb253

//| Outputs-02566b0a store-19bb2985
//> Pair-1190f24c stage-28e1e99f load_staged-d1bbd2b1 load_sums-7ebf2644 load_sums-53cba31c
typedef float Reducible;  // what is reduced

//| Partials-3a9e76ac of-bfc16334 at-f5bd739e
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 48;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out2;  // its sum
    __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        return Partials<COUNT, LINES>::of<48, 1>(values, arrivals, matrix, lines, others);
    }
//| identity-9bfb41b1 element-c6293344 combined-44e8dbe8
    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out2[line], value);
    }
};


// What each column of the output is reduced to.
struct ColumnReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 48, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out0;  // its min
//| partials_of-e7eb10d6
    // That of no elements.
    __device__ __forceinline__ static Reducible identity(int number) {
        return __int_as_float(0x7f800000);
    }
//| element-f56485eb
    __device__ __forceinline__ static Reducible combined(
        int number, Reducible one, Reducible other) {
        return fminf(one, other);
    }
//| store-77dc42ad

// Where the sums of the first product for a column of the output are staged.
__device__ __forceinline__ int staged_column(int col) {
    return col / PART_N * WARP_N + col % PART_N;
}

//| StagedTile-ece1999d row-c72605ff col-127be05f at-34d13408 load-bff90474 part_of_rows-6b298f08

//| smaller-95f5335d
static_assert(ROWS_AT_ONCE > 0, "threads have whole rows");

//| Rows-ae14f81e take-7404f569 reduce-b9d26f2e

//| Columns-d9b162bd start-6ee6b977 take-86a1898c reduce-ae9f6002
//> count_in-590de4b0 finish-92cb80d2
//| Reductions-58613a52 start-8395c9ae take-efa0dc0b reduce-e96a1c0c finish-cdd76ad2
//> apply_and_reduce-9217c08e epilogue-cf42c007
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) reduced_products_f6cf3c8d634ac2c2(
    int m, int n, int k,
    const f16* x, long long ld_x,
    const f16* gate, long long ld_gate,
    const f16* up, long long ld_up,
    f32* out0,
    f16* out1, long long ld_out1,
    f32* out2,
    void* partials_m, unsigned* arrivals_m,
    void* partials_n, unsigned* arrivals_n) {
    extern __shared__ __align__(128) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Block block = raster(m, PRODUCTS * n, int(blockIdx.x));
    const Warp warp = warps();
    Accumulators acc = {};
    wait_for_predecessor();
    SourceA source_a(x, ld_x, block.m, m, k);
    const FactorsOfB factors_of_b = {{gate, up}, {ld_gate, ld_up}};
    SourceB source_b(factors_of_b, block.n / PRODUCTS, n, k);
    mainloop(acc, shared, warp, {source_a, source_b}, k);
    const Values values = {};
    const Outputs outputs = {out1, ld_out1};
    const RowReductions of_rows = {RowReductions::partials_of(partials_m, arrivals_m, 0, m, n),
        out2};
    const ColumnReductions of_columns =
        {ColumnReductions::partials_of(partials_n, arrivals_n, 0, n, m), out0};
    epilogue(acc, shared.staged, warp, values, outputs, {{of_rows}, {of_columns}}, block.m, block.n
        / PRODUCTS, m, n);
}
