// packed_wgmma, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [128, 16, 128],
//         warpgroups = [2, 1],
//         mma     = m64n16k16,
//         copy    = tma,
//         swizzle(a = [0, 0, 0], b = [3, 3, 3]),
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn packed_wgmma(
//         w: Mat<i4x32, M, K>,
//         s: Tiled<bf16, M, K, 1, 128>,
//         x: Mat<bf16, N, K>,
//     ) -> Mat<bf16, N, M>
//
// out(N, M) = body(sum over K of (w * s) * x), for any M, N and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_out-3a5dfcb6 bf16-3500fa9b f32-4eeb73e9 i4x32-e4901dbb
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 128, BLK_N = 16, BLK_K = 128;
constexpr int GROUPS_M = 2, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 16, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 8;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int CONVERTED_STEPS = 8;  // whose factors are converted at a time
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 49216;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48

//| RowTile-f0f43dce offset-00fce098 below-d83f49d8
//> BoxTile-8bcd6f7c
// A, the operand `w`, in shared memory.
struct TileA : RowTile<i4x32, BLK_M / 16, BLK_K / 2, Swizzle<0, 0, 0>> {
    static constexpr bool K_CONTIGUOUS = true;
    static constexpr int REGISTERS = 4;  // of a load
    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));
    static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = 0;
//| box-f4e93e95
    static constexpr int LINES = 16, NUMBERS = 2;  // of an element, along k in the mean
    static constexpr int PACKED_K = 64;  // of the elements of 32 lanes
    static constexpr int LOADED_K = 64, VECTOR_BYTES = 16;  // of a lane's load
    typedef unsigned Words[VECTOR_BYTES / 4];
};

//| TileB-d7259cfa box-7bdd4d5e LEADING-e5009d8c

// The output: N rows of M elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS, EPILOGUE_TILES = 2;
typedef Swizzle<3, 3, 4> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int STAGED_ELEMENTS = 2 * EPILOGUE_TILES * EPILOGUE_TILE;
//> Stage-80d34ffb Barriers-db51eeef
//| Shared-663a5721
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33
static_assert(BOXES_BYTES == 12288, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 8, "arrivals");
//> TileIndex-8baeca33 raster-2aaf554e warpgroup_of-a9b1a5af CONSUMERS-e91f571a
//> CONSUMERS_BARRIER-a456e531 WARPGROUP_BARRIER-2f8ea26c wait_for_predecessor-370f9581
//> prefetch_map-1cb18679 fence_proxy_async-1092b3bf mbarrier_init-ae866601 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe global_to_shared-54af652c
//> instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd wgmma_commit-48cc427e
//> wgmma_wait-c97400e1
// d(64x16) = a(64x16) * b(16x16), a in registers, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[8], const unsigned (&a)[4], unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %13, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7"
        "}, {%8, %9, %10, %11}, %12, add, 1, 1, 0;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-630c3fbf copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b load_shared-4f0c7563 shared_to_register-6510e63e fma_bf16x2-64d01993
//> take_pairs-35c2c71f to_factor-45bce962
// The scales of A: one for 1 x 128 of its lines and of k.
struct ScaledLinesA {
    typedef bf16 Element;
    static constexpr int LINES = 1, K = 128, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
//| line-358d7a3d

//| LineScales-a139314c value-acb5444b

// Scales that a lane loads a k-tile ahead.
template <class Of>
struct FactorScales : LineScales<Of> {
    typedef LineScales<Of> Lines;
    typedef typename Lines::Element Element;

    const Element* first;
    long long ld;
    int mn0, mn, k, end;  // the warpgroup's first line, all lines, the k-tile's first k, all k

    __device__ __forceinline__ FactorScales(
        const Element* first, long long ld, int mn0, int mn, int k, int end)
        : first(first), ld(ld), mn0(mn0), mn(mn), k(k), end(end) {
        load();
    }

    __device__ __forceinline__ void load() {
#pragma unroll
        for (int part = 0; part < Lines::PARTS; ++part) {
            const int at_k = k + part * Of::K;
#pragma unroll
            for (int i = 0; i < Of::COUNT; ++i) {
                const int line = mn0 + Of::line(i);
                const long long along_mn = line / Of::LINES, along_k = at_k / Of::K;
                const Element* const from =
                    first + (Of::K_CONTIGUOUS ? along_mn * ld + along_k : along_k * ld + along_mn);
                this->loaded[part][i] = line < mn && at_k < end ? *from : Element{};
            }
        }
    }

    // Goes on to the next k-tile.
    __device__ __forceinline__ void advance() {
        k += BLK_K;
        load();
    }
};

typedef FactorScales<ScaledLinesA> ScalesA;
//> scaled-a3f14ce3 FactorsA-c6a20725 convert-be6d762d clear-39daced7
// The k-steps of a k-tile that have one scale are multiplied together.
constexpr int PARTS = STEPS_K / CONVERTED_STEPS;

// What is multiplied together: A's factors, the sums of the products, and what these are scaled by.
struct ScaledPart {
    FactorsA factors;
    Accumulators sums;
    Sum scales[2 * ATOMS_M];  // of the lane's rows
};

// Converts A's factors of a part of a k-tile, and issues its products.
__device__ __forceinline__ void multiply(
    ScaledPart& part, int number, unsigned of_a, unsigned of_b, Warpgroup warpgroup,
    const ScalesA& scales) {
    const int step0 = number * CONVERTED_STEPS;
    convert(part.factors, of_a, warpgroup.m, step0, scales);
#pragma unroll
    for (int i = 0; i < 2 * ATOMS_M; ++i) part.scales[i] = scales.value(i, step0);
#pragma unroll
    for (int j = 0; j < SUMS; ++j) {
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) discard_operand(part.sums[i][j]);
    }
    wgmma_fence();
    const auto first = descriptor<TileB>(of_b + instruction_offset<TileB>(warpgroup.n, 0));
#pragma unroll
    for (int step = 0; step < CONVERTED_STEPS; ++step) {
        const auto b = first + instruction_offset<TileB>(0, (step0 + step) * MMA_K) / 16;
#pragma unroll
        for (int i = 0; i < ATOMS_M; ++i) {
            if (step == 0) wgmma<false>(part.sums[i], part.factors[i][step], b);
            else wgmma<true>(part.sums[i], part.factors[i][step], b);
        }
    }
    wgmma_commit();
}

// acc += the scaled sums of a part, whose products have completed.
__device__ __forceinline__ void add(Accumulators& acc, ScaledPart& part) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) {
            const int row = 2 * i + j / 2 % 2;  // of the lane's
            fence_operand(part.sums[i][j]);
            acc[i][j] = __fmaf_rn(part.sums[i][j], part.scales[row], acc[i][j]);
        }
    }
}

// Multiplies a k-tile, when it has landed: its parts take turns, `one` first. The products of each
// are in flight while the next one is converted; then they are added, and with the last of a k-tile
// its stage is released. Those of an even number of parts are waited for at the end of a k-tile, or
// ptxas would wait for each instruction (NVRTC 13.1, C7514).
template <bool FIRST>
__device__ __forceinline__ void multiply_tile(
    Accumulators& acc, ScaledPart& one, ScaledPart& other, unsigned& multiplied, Ring ring,
    RingState& state, Warpgroup warpgroup, ScalesA& scales) {
    const unsigned of_a = ring.stages + state.stage * STAGE_BYTES, of_b = of_a + TileA::BYTES;
    mbarrier_wait(ring.full_barrier(state.stage), state.phase);
#pragma unroll
    for (int number = 0; number < PARTS; ++number) {
        ScaledPart& now = number % 2 == 0 ? one : other;
        ScaledPart& before = number % 2 == 0 ? other : one;
        multiply(now, number, of_a, of_b, warpgroup, scales);
        if (FIRST && number == 0) continue;
        if (PARTS % 2 == 0 && number == PARTS - 1) wgmma_wait<0>();
        else wgmma_wait<1>();
        if (number == 0) consumer_release(ring, multiplied);
        add(acc, before);
    }
    scales.advance();
    __syncwarp();  // one lane releases what all have loaded
    multiplied = state.stage;
    state.advance();
}

// Multiplies all k-tiles, one at least, and adds what is in flight. Returns the stage of the last.
__device__ __forceinline__ unsigned multiply_all(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, ScalesA& scales,
    int tiles) {
    clear(acc);
    ScaledPart even, odd;
    unsigned multiplied = 0;
    const auto next = [&](ScaledPart& one, ScaledPart& other) {
        multiply_tile<false>(acc, one, other, multiplied, ring, state, warpgroup, scales);
    };
    const auto finish = [&](ScaledPart& last) {
        wgmma_wait<0>();
        add(acc, last);
    };
    multiply_tile<true>(acc, even, odd, multiplied, ring, state, warpgroup, scales);
    if constexpr (PARTS % 2 == 0) {
        for (int tile = 1; tile < tiles; ++tile) next(even, odd);
        finish(odd);
    } else {
        int tile = 1;
        for (; tile + 1 < tiles; tile += 2) {
            next(odd, even);
            next(even, odd);
        }
        if (tile < tiles) {
            next(odd, even);
            finish(odd);
        } else {
            finish(even);
        }
    }
    return multiplied;
}
//> wait_for_products-9216f7e8 mainloop-e9ec4c7c body-de9848cb Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519
//| Values-b912801f apply-db51190b

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> fetch-47ed8540 from_value-23dfb28d in_epilogue_tile-8d677ec9 first_band-73cb70d9
//> EpilogueTile-e9b9efd2 stage-9a226b5a take_sums-89f68da2
//| PutResults-59a78edd operator-7099938c
//> Chunk-390e1dbd epilogue-355b69a1
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) packed_wgmma_719769837f2eeb12(
    int m, int n, int k,
    const __grid_constant__ TensorMap w,
    const bf16* s, long long ld_s,
    const __grid_constant__ TensorMap x,
    bf16* out, long long ld_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(w);
        prefetch_map(x);
        init_barriers(ring);
    }
    const Block block = raster(m, n, int(blockIdx.x));
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, block, w, x, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            produce(ring, state, block, w, x, 0, k, started);
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    Accumulators acc;
    RingState state = {0, 0};
    ScalesA scales_a(s, ld_s, block.m + warpgroup.m, m, 0, 0 + k);
    mainloop(acc, ring, state, warpgroup, scales_a, k);
    const Values values = {};
    const Outputs outputs = {out, ld_out};
    consumers_sync();  // the ring has been read
    epilogue(acc, shared.staged, values, outputs, block.n + warpgroup.n, block.m + warpgroup.m, n,
        m);
}
