// wgmma_batched_axpby, written by gemm-codegen from
//
//     #[gemm(
//         tile    = [64, 160, 64],
//         warpgroups = [1, 1],
//         schedule = cooperative,
//         mma     = m64n160k16,
//         copy    = tma,
//         swizzle = [3, 3, 3],
//         stages  = 3,
//         raster  = along_m(8),
//         targets = [sm_90a],
//     )]
//     fn wgmma_batched_axpby(
//         a: Batched<bf16, B, M, K>,
//         b: Mat<bf16, N, K>,
//         residual: Mat<f32, M, N>,
//         beta: f32,
//         c: &mut Batched<f32, B, M, N>,
//     )
//
// out(B, M, N) = body(sum over K of a * b), for any B, M, N and K.
// out is c; the block that writes an element is the only one to read it,
// and reads it before.
// What lies outside an operand counts as zero and is not touched. Matrices are stored row
// by row.
//> ALIGN_residual-63a94f67 bf16-3500fa9b f32-4eeb73e9
// The tiling: block > warpgroup > mma.
constexpr int BLK_M = 64, BLK_N = 160, BLK_K = 64;
constexpr int GROUPS_M = 1, GROUPS_N = 1;  // warpgroups that multiply
constexpr int GROUP_M = BLK_M / GROUPS_M, GROUP_N = BLK_N / GROUPS_N;
constexpr int THREADS = 128 * (GROUPS_M * GROUPS_N + 1);  // and one that copies
constexpr int MMA_M = 64, MMA_N = 160, MMA_K = 16;
constexpr int ATOMS_M = GROUP_M / MMA_M, SUMS = 80;  // of a lane, for one atom
constexpr int STEPS_K = BLK_K / MMA_K;  // of a stage
constexpr int STAGES = 3, RASTER = 8;
constexpr int SHARED_BYTES = 135264;
//| assertions-a4b11103
//> Sum-c2bacfdf TensorMap-d3462307 Box-635e1a60
//| TileA-e20324f5 box-3d1bf9e6 LEADING-7450c8b1
static_assert(TileA::PITCH == 128 && TileA::ROWS <= 256, "a tile of A is a box");

//| TileB-4835997b box-7bdd4d5e LEADING-7450c8b1
static_assert(TileB::PITCH == 128 && TileB::ROWS <= 256, "a tile of B is a box");

// The output: M rows of N elements. A warpgroup stages PASS_BANDS bands of 8 columns
// of an atom at a time, as results, in slabs of its own that it fills in turn.
typedef f32 Out;
typedef float Result;  // of the body
constexpr int OUT_VECTOR = ALIGN_out / int(sizeof(Out));  // elements of one store
constexpr int STORED_N = MMA_N;  // columns of an atom that a block stores
typedef Out Staged;
constexpr int SLAB_ROWS = 64, SLAB_COLS = 32;
constexpr int SLAB_UNIT = 4;  // elements that keep together
constexpr int PASS_BANDS = 4, ATOM_PASSES = (STORED_N / 8 - 1) / PASS_BANDS + 1;
constexpr int PASSES = ATOMS_M * ATOM_PASSES;
constexpr int MATRICES = 2, PLACES = 3;  // with a slab for each that the body reads
constexpr int SLAB = SLAB_ROWS * SLAB_COLS, PLACE = MATRICES * SLAB;
constexpr int MOVERS = 1;  // warpgroups that store, each with a thread that moves slabs
constexpr int STAGED_ELEMENTS = MOVERS * PLACES * PLACE;

//| Stage-18ce5359
static_assert(STAGE_BYTES == 28672, "bytes of the boxes");
static_assert(FULL_ARRIVALS == 1 && EMPTY_ARRIVALS == 4, "arrivals");
//> raster-9b7d8b7b
//| Tiles-c0931782 Tiles-66e2aef0
//> warps_of-1b903700 CONSUMERS-e91f571a group_sync-4d18ec10 prefetch_map-1cb18679
//> mbarrier_init-ae866601 mbarrier_init_fence-e059ac62 mbarrier_arrive-5aef4f12
//> mbarrier_arrive_expect-e8176a28 mbarrier_try_wait-a1f6b145 mbarrier_wait-7baea3f0
//> copy_box-2c6e4cbe copy_box-2caac2fa global_to_shared-24d28b00 descriptor-5d1f61ef
//> wgmma_fence-41bbefbd wgmma_commit-48cc427e wgmma_wait-c97400e1
// d(64x160) = a(64x16) * b(16x160), of descriptors, plus d if ADD. Asynchronous: d and both tiles
// are in use until the product's group has been waited for. (PTX ISA, wgmma.mma_async)
template <bool ADD>
__device__ __forceinline__ void wgmma(
    Sum (&d)[80], unsigned long long a, unsigned long long b) {
    asm volatile(
        "{\n\t.reg .pred add;\n\tsetp.ne.s32 add, %82, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n160k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
        "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
        "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
        "%74, %75, %76, %77, %78, %79"
        "}, %80, %81, add, 1, 1, 0, 0;\n\t}"
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
          "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79])
        : "l"(a), "l"(b), "n"(int(ADD)));
}
//> fewer_registers-7e5aec41 tiles_of-1c942b22
//| Place-b0147a8f advance-77149593

//| Ring-14177fef Ring-4c31a3eb
//> place_after-d40d0eaa initialise-64b3c106 expect-d3e4bf12 reserve-aa9df04d copy_tile-ecf575e7
//> start-be96bd4e produce-e2e0ba13 pin-e172eba5 forget-7085c2da multiply-977b9126 leave-64a84e10
//> mainloop-e5b0b3ee
__device__ __forceinline__ float body(
        const float acc,
        const float residual,
        const float beta,
        const float c) {
    return acc + beta * c + residual;
}
//> Word-b35982a9 load-a04a88c6 store-eb4381ca fetch-47ed8540 fetch_to_slab-13140eea
// What the body reads beside the accumulator.
struct Values {
    const f32* residual;
    long long ld_residual;
    float beta;
    const f32* out;
    long long ld_out;
    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; what lies outside of the output reads as zero. Elements of
    // matrices are in slabs, those of the first one from `at` on.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sum (&sums)[COUNT], const Staged* at,
        int row, int col, int rows, int cols) const {
        float at_residual[COUNT];
        load<16>(at_residual, reinterpret_cast<const f32*>(at), COUNT);
        float at_out[COUNT];
        load<16>(at_out, reinterpret_cast<const f32*>(at + SLAB), COUNT);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_residual[i], beta, at_out[i]);
        }
    }
    // Brings COUNT elements of each matrix to its slab.
    template <int COUNT>
    __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {
        fetch_to_slab<ALIGN_residual, COUNT>(
            at, residual + row * ld_residual + col, valid);
        fetch_to_slab<ALIGN_out, COUNT>(
            at + SLAB, out + row * ld_out + col, valid);
    }
};
//> fence_to_copies-b0d621c1 shared_to_global-f09fd856 await_reads-63a34c34 in_slab-f6c49cfa
//> finish-6c7e9590 first_band-62720a9a stage-cfbe5719 global_to_slab-ffea49d2
// Issues the copy of the part of a matrix from (row, col) on to a slab; `barrier` counts its bytes.
// Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_slab(
    const TensorMap& from, unsigned slab, int matrix, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(slab), "l"(&from), "r"(col), "r"(row), "r"(matrix), "r"(barrier)
                 : "memory");
}
//> are_moved-2614516d
//| Maps-195b6991
    // Issues the copies of the part of each matrix from (row, col) on to a place.
    __device__ __forceinline__ void fetch(
        unsigned place, int matrix, int row, int col, unsigned barrier) const {
        global_to_slab(residual, place, row, col, barrier);
        global_to_slab(out, place + SLAB * sizeof(Staged), matrix, row, col, barrier);
    }
};

//| Slabs-ffd3f125 Slabs-e8fd39d8

//| SlabPlace-d65f79d9 advance-1f28b56a
//> initialise_slabs-853028e7 group_moved-f48223c2 Part-432619f0
// Has the copy unit bring what the body reads in a pass.
__device__ __forceinline__ void bring(
    const Slabs& slabs, unsigned place, const Maps& maps, int matrix, Part part) {
    const unsigned fetched = slabs.fetched + place * 8;
    const void* const at = slabs.places + place * PLACE;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(at));
    mbarrier_arrive_expect(fetched, PLACE * sizeof(Staged));
    maps.fetch(to, matrix, part.row, part.col, fetched);
}

// The mover of a warpgroup, one thread, for a part of the output from (row0, col0) on: has what the
// warpgroup has put into a place stored, and what the body reads PLACES passes later brought there.
__device__ __forceinline__ void move(
    const Slabs& slabs, SlabPlace& place, const Maps& maps, int matrix, int row0, int col0) {
#pragma unroll 1
    for (int pass = -PLACES; pass < PASSES; ++pass, place.advance()) {
        if (pass >= 0) {
            const auto [row, col] = part_of(pass, row0, col0);
            mbarrier_wait(slabs.written + place.number * 8, place.parity);
            shared_to_global(maps.out, slabs.places + place.number * PLACE, matrix, row, col);
            await_reads<0>();
        }
        const int next = pass + PLACES;
        if (next < PASSES) bring(slabs, place.number, maps, matrix, part_of(next, row0, col0));
    }
    place.parity ^= 1;  // it has gone round once more than the places were filled
}
//> Chunk-4b088f28 fill-41734635 slab_to_global-a124f7d8 epilogue-ca2abb8c
// minBlocksPerSM = 1: without it ptxas spills.
extern "C" __global__ void __launch_bounds__(THREADS, 1) wgmma_batched_axpby_c73ac8e08c63a10e(
    int m, int n, int k,
    const __grid_constant__ TensorMap a,
    const __grid_constant__ TensorMap b,
    const f32* residual, long long ld_residual,
    const __grid_constant__ TensorMap map_residual,
    float beta,
    f32* out, long long ld_out, long long stride_out,
    const __grid_constant__ TensorMap map_out,
    int matrices) {
    extern __shared__ __align__(1024) unsigned char shared_bytes[];
    Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
    const Ring ring(shared);
    if (threadIdx.x == CONSUMERS) {
        prefetch_map(a);
        prefetch_map(b);
        prefetch_map(map_residual);
        prefetch_map(map_out);
        initialise(ring);
    }
    initialise_slabs(shared);
    Tiles tiles(m, n, matrices);
    Block block;
    int started = 0;  // k-tiles that the producer has requested
    if (threadIdx.x == CONSUMERS) started = start(ring, tiles.first(), a, b, 0, k);
    __syncthreads();  // the barriers are initialised
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS) {
            Place place = place_after(started);
            while (tiles.next(block)) {
                produce(ring, place, block, a, b, 0, k, started);
                started = 0;
            }
        }
        const int group = group_moved();
        if (group >= 0 && are_moved(n)) {
            const Slabs slabs(shared, group);
            const Warp warp = warps_of(group);
            const Maps maps = {map_residual, map_out};
            SlabPlace place = {0, 1};  // nothing has been put there: each counts as stored
            while (tiles.next(block)) {
                move(slabs, place, maps, block.batch, block.m + warp.m, block.n + warp.n);
            }
        }
        return;
    }
    const Warp warp = warps();
    Accumulators acc;
    Place place = {0, 0};
    const Slabs slabs(shared, threadIdx.x / 128);
    SlabPlace slab = {0, 0};
    while (tiles.next(block)) {
        mainloop(acc, ring, place, warp, k);
        const Values values = {residual, ld_residual, beta, out + block.batch * stride_out, ld_out};
        epilogue(acc, slabs, slab, values, out + block.batch * stride_out, ld_out, block.m + warp.m,
            block.n + warp.n, m, n);
    }
}
