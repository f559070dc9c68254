// wgmma_lora_pingpong, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 192, 64],
//         warpgroups = [1, 1],
//         schedule = pingpong,
//         mma     = m64n192k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 4,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_lora_pingpong(
//         x: Mat<bf16, M, K>,
//         w: Mat<bf16, K, N>,
//         t: Mat<bf16, M, R>,
//         b: Mat<bf16, R, N>,
//         alpha: Scalar<f32>,
//         residual: Mat<bf16, M, N>,
//     ) -> Mat<bf16, M, N>
//
// out(M, N) = body(added_scale * sum over R of t * b + sum over K of x * w), for any M, N, R and K.
// Out-of-bounds elements read as zero and are never accessed. Matrices are row-major.
//> ALIGN_residual-6f15da17 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 192, BLK_K = 64;
constexpr int CLUSTER_M = 1, CLUSTER_N = 1, CLUSTER = 1;  // blocks
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (2 + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 192, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 96;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 4, RASTER = 8;
constexpr int SHARED_BYTES = 180384;
//| assertions-a4b11103
//> Sum-5da2972a TensorMap-4eb42d3a Box-9697fac4
//| Swizzle-305c7c9d bits-57c2192c bits_of_row-15d0fa48
//> BoxTile-8bcd6f7c
//| TileA-4f378b0a box-016ed81f LEADING-e5009d8c

// B, the operand `w`, after `b`, in shared memory.
struct TileB : BoxTile<bf16, BLK_K, BLK_N> {
    static constexpr bool K_CONTIGUOUS = false;
    typedef TensorMap Factor;
    static constexpr int STAGE_OFFSET = TileA::BYTES;
//| box-727e74ad LEADING-b5b914e7

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in epilogue tiles of its own.
typedef bf16 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int EPILOGUE_ROWS = 64, EPILOGUE_COLS = 64;
constexpr int EPILOGUE_TILE = EPILOGUE_ROWS * EPILOGUE_COLS;
typedef Swizzle<3, 3, 3> EpilogueSwizzle;
constexpr int PASS_BANDS = 8, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int ROW_CHUNKS = EPILOGUE_COLS / OUT_VECTOR;  // stores of a row
constexpr int CHUNKS = EPILOGUE_ROWS * ROW_CHUNKS;
constexpr int EPILOGUE_STAGES = 3;
constexpr int EPILOGUE_STAGE = 1 * EPILOGUE_TILE;  // one for each matrix that is read
constexpr int STORERS = 2;  // warpgroups that store, each with a thread that copies
constexpr int STAGED_ELEMENTS = STORERS * EPILOGUE_STAGES * EPILOGUE_STAGE;
//> Stage-80d34ffb Barriers-db51eeef EpilogueBarriers-92705032
//| Shared-f7c6dc81
static_assert(sizeof(Shared) == SHARED_BYTES, "what a launch provides");

//| FULL_ARRIVALS-7b2eab33 assertions-d8b0c965
//> TileIndex-8baeca33 raster-2aaf554e
//| Tiles-0224ff69 Tiles-fe013337
//> warpgroup_of-a9b1a5af CONSUMERS-1ec928b7 WARPGROUP_BARRIER-2f8ea26c ORDERED_BARRIER-d03b2de0
//> wait_for_predecessor-370f9581 prefetch_map-1cb18679 fence_proxy_async-1092b3bf
//> mbarrier_init-ae866601 mbarrier_arrive-5aef4f12 mbarrier_arrive_expect-e8176a28
//> mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0 mbarrier_init_fence-cfb4d061 copy_box-2c6e4cbe
//> global_to_shared-54af652c instruction_offset-e923d25e descriptor-5d1f61ef wgmma_fence-41bbefbd
//> wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x192) = a(64x16) * b(16x192), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[96], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %98, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
        "%92, %93, %94, %95"
        "}, %96, %97, add, 1, 1, 0, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
          "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
          "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),
          "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]),
          "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]),
          "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]),
          "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]),
          "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]),
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]),
          "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]),
          "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> warpgroup_reg_dealloc-c73d0c50 k_tiles-6883d259
//| PipelineState-fc35bb25 advance-cafb3c1a

//| Ring-87581fd9 Ring-36a3f51b empty_barrier-381b8cfa

typedef PipelineState<STAGES> RingState;
//> state_after-fde98076 init_barriers-9b8f18e2 producer_acquire-78374e79 copy_tile-6ff33078
//> start-5b5c6cc4 produce-814b3273 fence_operand-dda1add4 discard_operand-bc9f3407
//> consumer_release-cda6885b multiply-ded6cf3f multiply_all-eb7f70dc wait_for_products-ea9687cb
//> clear-39daced7 skip-95064da4
// One of two consumers: acc(BLK_M x BLK_N) += A(BLK_M x k) * B(k x BLK_N). When all its products
// have been issued it is the turn of warpgroup `next`, if that is not -1: its products follow those
// in flight.
__device__ __forceinline__ void mainloop(
    Accumulators& acc, Ring ring, RingState& state, Warpgroup warpgroup, int k, int next) {
    const int tiles = k_tiles(k);
    if (tiles == 0) {
        if (next >= 0) ordered_barrier_arrive(next);
        return;
    }
    const unsigned last = multiply_all(acc, ring, state, warpgroup, tiles);
    if (next >= 0) ordered_barrier_arrive(next);
    wait_for_products(acc);
    consumer_release(ring, last);
}

__device__ __forceinline__ float body(const float acc, const float residual) {
    return residual + acc;
}
//> times-4094cbe4 scale_sums-9d2c4f80 added_scale-5e7e8852 Word-b35982a9 load-a04a88c6
//> store-eb4381ca Sums-4ccfa519 fetch-47ed8540 Elements-4e1a4dc1
//| MatrixRun-2918a2a6 read-78c20bf3
//> in_tile-b3e81b6b fill_tile-212dc4e2
//| Values-9dd10e90 fill-ed1e705e apply-1ff845e2

//| Output-11b90be5 store-03c1e2bf

typedef Output<Out, ALIGN_out> Outputs;
//> shared_to_global-e989de97 await_reads-5524745e from_value-23dfb28d in_epilogue_tile-8d677ec9
//> first_band-7bc79b08 EpilogueTile-57021fd8 stage-6b98c9a0 take_sums-89f68da2
//| PutResults-563f7e31 operator-b04589cd
//> global_to_tile-d51bb2c6 are_copied-a314c75c
//| Maps-991980db bytes-c037436e load-601d1517

//| EpilogueRing-d60f8d28 EpilogueRing-2f31e564 loaded_barrier-cd6be725 written_barrier-0b0f7285
//> init_epilogue_barriers-37e6292b copied_group-2e6757bf load_stage-3b17df58
//> load_and_store-8a793149 Chunk-2f25dd70 fill-93bd6d85 shared_to_global-d5a04d84 epilogue-974cfb6a
// minBlocksPerSM = 1: a thread may have all registers that one block leaves it.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_lora_pingpong_ee1978652e3048d7(
    int m, int n, int k, int added_k,
    const __grid_constant__ TensorMap x,
    const __grid_constant__ TensorMap w,
    const __grid_constant__ TensorMap t,
    const __grid_constant__ TensorMap b,
    const f32* alpha,
    const bf16* residual, long long ld_residual,
    const __grid_constant__ TensorMap map_residual,
    bf16* out, long long ld_out,
    const __grid_constant__ TensorMap map_out) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(x);
        prefetch_map(w);
        prefetch_map(t);
        prefetch_map(b);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        init_barriers(ring);
    }
    init_epilogue_barriers(shared);
    Tiles tiles(m, n);
    Block block;
    wait_for_predecessor();
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), t, b, 0, added_k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        warpgroup_reg_dealloc<24>();
        if (threadIdx.x == CONSUMERS) {
            RingState state = state_after(started);
            while (tiles.next(block)) {
                produce(ring, state, block, t, b, 0, added_k, started);
                produce(ring, state, block, x, w, 0, k, 0);
                started = 0;
            }
        }
        const int copied = copied_group();
        if (copied >= 0 && are_copied(n)) {
            const EpilogueRing epilogue_ring(shared, copied);
            const Warpgroup warpgroup = warpgroup_of(copied);
            const Maps maps = {map_residual, map_out};
            EpilogueState state = {0, 1};  // nothing is there yet: each stage counts as stored
            if (copied == 1) tiles.advance();
            while (tiles.next(block)) {
                load_and_store(epilogue_ring, state, maps, block.m + warpgroup.m, block.n +
                    warpgroup.n);
                tiles.advance();
            }
        }
        return;
    }
    warpgroup_reg_alloc<240>();
    const Warpgroup warpgroup = warpgroup_of(threadIdx.x / 128);
    const Values values = {residual, ld_residual};
    const Outputs outputs = {out, ld_out};
    Accumulators acc;
    RingState state = {0, 0};
    const EpilogueRing epilogue_ring(shared, threadIdx.x / 128);
    EpilogueState epilogue_state = {0, 0};
    const int group = threadIdx.x / 128;
    if (group == 1) {  // begins with the second tile
        ordered_barrier_arrive(0);
        tiles.advance(), skip(state, k_tiles(added_k) + k_tiles(k));
    }
    while (tiles.next(block)) {
        ordered_barrier_wait(group);
        clear(acc);
        mainloop(acc, ring, state, warpgroup, added_k, -1);
        scale_sums(acc, added_scale(to_value(*alpha)));
        mainloop(acc, ring, state, warpgroup, k, tiles.has_next() ? 1 - group : -1);
        epilogue(acc, epilogue_ring, epilogue_state, values, outputs, block.m + warpgroup.m, block.n
            + warpgroup.n, m, n);
        tiles.advance(), skip(state, k_tiles(added_k) + k_tiles(k));  // which the other has
    }
}
