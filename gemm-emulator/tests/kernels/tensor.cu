// Copies of tensors by mbarriers: single boxes, and a GEMM that is fed by them.
// out[m][n] = sum_k a[m][k] * b[n][k] of f16, f32 output, tiles of 64 x 64 x 64, four warps of 32 x 32.
// Switches: STAGES, POLL (ask with test_wait), and one BUG_* per planted fault; REFILL_FENCE (what the producer executes
// between its wait for a stage and the copies to there), EARLY_FENCE (in front of that wait), READERS_FENCE (in front of
// their arrivals), LOADS_FENCE (in front of their loads); CLEAR (threads write to a box before it is copied), CLEAR_FENCE.
#ifndef STAGES
#define STAGES 3
#endif
#ifndef REFILL_FENCE
#define REFILL_FENCE fence.proxy.async.shared::cta
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
typedef unsigned int u32;
typedef unsigned long long u64;
struct alignas(64) Map { u64 words[16]; };

__device__ inline u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ inline void init(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ inline void arrive(u32 barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arrive_and_expect(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline bool has_passed(u32 barrier, u32 parity) {
  u32 passed;
#ifdef POLL
  asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(passed) : "r"(barrier), "r"(parity) : "memory");
#else
  asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(passed) : "r"(barrier), "r"(parity) : "memory");
#endif
  return passed;
}
__device__ inline void wait(u32 barrier, u32 parity) {
  while (!has_passed(barrier, parity)) {}
}
__device__ inline void show_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ inline void fence_proxies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void clear(u32* box, u32 bytes) {
#ifdef CLEAR
  for (u32 at = threadIdx.x; at < bytes / 4; at += blockDim.x) box[at] = 0;
#endif
#ifdef CLEAR_FENCE
  fence_proxies();
#endif
}
__device__ inline void copy_2(u32 to, const Map* map, int x, int y, u32 barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}

// One box to shared memory at `offset`, and from there to `out` as it lies.
#define KERNEL(name, COPY)                                                                                          \
  extern "C" __global__ void name(const __grid_constant__ Map map, int x, int y, int z, u32 bytes, u32 offset,      \
                                  u32* out) {                                                                       \
    extern __shared__ __align__(1024) unsigned char box[];                                                          \
    __shared__ u64 barrier_storage;                                                                                 \
    const u32 barrier = shared_address(&barrier_storage), to = shared_address(box) + offset;                        \
    clear((u32*)(box + offset), bytes);                                                                             \
    if (threadIdx.x == 0) { init(barrier, 1); show_barriers(); }                                                    \
    __syncthreads();                                                                                                \
    if (threadIdx.x == 0) {                                                                                         \
      asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");                                              \
      arrive_and_expect(barrier, bytes);                                                                            \
      COPY;                                                                                                         \
    }                                                                                                               \
    wait(barrier, 0);                                                                                               \
    for (u32 at = threadIdx.x; at < bytes / 4; at += blockDim.x) out[at] = ((const u32*)(box + offset))[at];        \
  }
#define BARRIER "[%5];" ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier) : "memory"
KERNEL(copy_line, asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], " BARRIER))
KERNEL(copy_matrix, copy_2(to, &map, x, y, barrier))
KERNEL(copy_cube, asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], " BARRIER))

__device__ inline void load_4(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
__device__ inline void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// 16-byte chunks of a row of 64 elements (128 B), as the copy has swizzled them.
__device__ inline u32 swizzled(int row, int chunk) { return row * 128 + ((chunk ^ (row & 7)) << 4); }

#define WARPS 4
#define OPERAND 8192
#define STAGE (2 * OPERAND)
extern "C" __global__ void __launch_bounds__(32 * WARPS)
    gemm(const __grid_constant__ Map map_a, const __grid_constant__ Map map_b, float* out, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char ring[];
  __shared__ u64 barriers[2 * STAGES];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int blocks_n = (n + 63) / 64, row0 = blockIdx.x / blocks_n * 64, column0 = blockIdx.x % blocks_n * 64;
  const int warp_m = warp / 2 * 32, warp_n = warp % 2 * 32, tiles = (k + 63) / 64;
  const u32 base = shared_address(ring), full = shared_address(barriers), empty = full + 8 * STAGES;
  if (thread == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, 1);
#if defined(BUG_FEW_ARRIVALS)
      init(empty + 8 * s, WARPS - 1);
#elif defined(BUG_MANY_ARRIVALS)
      init(empty + 8 * s, WARPS + 1);
#else
      init(empty + 8 * s, WARPS);
#endif
    }
#ifndef BUG_NO_FENCE
    show_barriers();
#endif
  }
#ifndef BUG_NO_BARRIER
  __syncthreads();
#endif

  auto issue = [&](int tile) {
    const int stage = tile % STAGES, round = tile / STAGES;
    const u32 to = base + stage * STAGE, barrier = full + 8 * stage;
#ifdef EARLY_FENCE
    fence_proxies();
#endif
#ifndef BUG_NO_EMPTY_WAIT
    wait(empty + 8 * stage, round & 1 ^ 1);
#endif
    asm volatile(TEXT(REFILL_FENCE) ";" ::: "memory");
#if defined(BUG_FEW_BYTES)
    arrive_and_expect(barrier, OPERAND);
#elif defined(BUG_MANY_BYTES)
    arrive_and_expect(barrier, STAGE + 16);
#else
    arrive_and_expect(barrier, STAGE);
#endif
    copy_2(to, &map_a, tile * 64, row0, barrier);
    copy_2(to + OPERAND, &map_b, tile * 64, column0, barrier);
  };
  if (thread == 0)
    for (int tile = 0; tile < STAGES - 1 && tile < tiles; ++tile) issue(tile);
  float sums[2][4][4] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % STAGES, round = tile / STAGES;
    if (thread == 0 && tile + STAGES - 1 < tiles) issue(tile + STAGES - 1);
#if defined(BUG_PARITY)
    wait(full + 8 * stage, round & 1 ^ 1);
#elif defined(BUG_NO_FULL_WAIT)
    if (warp != 2 || tile != 4) wait(full + 8 * stage, round & 1);
#else
    wait(full + 8 * stage, round & 1);
#endif
    const u32 at_a = base + stage * STAGE, at_b = at_a + OPERAND;
#ifdef LOADS_FENCE
    fence_proxies();
#endif
#pragma unroll
    for (int step = 0; step < 4; ++step) {
#ifdef BUG_EARLY_ARRIVAL
      if (step == 3 && lane == 0) arrive(empty + 8 * stage);
#endif
      u32 fragment_a[2][4], fragment_b[2][4];
      for (int i = 0; i < 2; ++i)
        load_4(fragment_a[i], at_a + swizzled(warp_m + i * 16 + lane % 16, step * 2 + lane / 16));
      for (int j = 0; j < 2; ++j)
        load_4(fragment_b[j], at_b + swizzled(warp_n + j * 16 + lane % 16, step * 2 + lane / 16));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          mma(sums[i][j], fragment_a[i], fragment_b[j / 2][j % 2], fragment_b[j / 2][2 + j % 2]);
    }
#ifdef READERS_FENCE
    fence_proxies();
#endif
#if defined(BUG_MISSING_ARRIVAL)
    if (lane == 0 && warp != 1) arrive(empty + 8 * stage);
#elif !defined(BUG_EARLY_ARRIVAL)
    if (lane == 0) arrive(empty + 8 * stage);
#endif
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int h = 0; h < 4; ++h) {
        const int row = row0 + warp_m + i * 16 + h / 2 * 8 + lane / 4, column = column0 + warp_n + j * 8 + lane % 4 * 2 + h % 2;
        if (row < m && column < n) out[(u64)row * n + column] = sums[i][j][h];
      }
}
