// A GEMM of warpgroups: one only copies, two multiply by wgmma, and a block walks over tiles.
// out[m][n] = sum_k a[m][k] * b[n][k] of f16, tiles of 128 x 128 x 64; each of the two has 64 rows of a tile.
// Switches: STAGES, BULK_STORE (tensor copies write the results), and one BUG_* per planted fault.
// CLUSTER: two blocks multiply neighbouring tiles of the same columns. Each copies its own rows of A, and half of the
// rows of B for both; map_b then has boxes of 64 rows. ARRIVE: the form in which a stage is given back to both.
#ifndef STAGES
#define STAGES 3
#endif
typedef unsigned int u32;
typedef unsigned long long u64;
struct alignas(64) Map { u64 words[16]; };

#define TILE 128
#define OPERAND (TILE * 128)
#define STAGE (2 * OPERAND)
#define STAGING (64 * TILE * 2)

__device__ inline u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ inline void init(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ inline void arrive(u32 barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arrive_and_expect(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
#ifdef CLUSTER
#ifndef ARRIVE
#define ARRIVE 0
#endif
__device__ inline u32 rank() {
  u32 r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ inline void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline void copy_to_both(u32 to, const Map* map, int x, int y, u32 barrier) {
#ifdef BUG_MASK
  const unsigned short mask = 7;
#else
  const unsigned short mask = 3;
#endif
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
               " [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier), "h"(mask) : "memory");
}
__device__ inline void arrive_at(u32 barrier, u32 rank) {
  u32 remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(barrier), "r"(rank));
#if ARRIVE == 0
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
#elif ARRIVE == 1
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;\n"
               "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
#else
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
#endif
}
#endif
// A stage is given back to those that fill it.
__device__ inline void give_back(u32 empty) {
#if defined(CLUSTER) && !defined(BUG_OWN_ONLY)
  arrive_at(empty, 0);
  arrive_at(empty, 1);
#else
  arrive(empty);
#endif
}
// Until a stage is given back.
__device__ inline void wait_empty(u32 barrier, u32 parity) {
#if defined(CLUSTER) && !defined(BUG_WAIT_OF_BLOCK)
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(barrier), "r"(parity) : "memory");
#else
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(barrier), "r"(parity) : "memory");
#endif
}
// The tile of that number: its row and its column.
__device__ inline int2 place(int tile, int n) {
#ifdef CLUSTER
  const int pair = tile / 2, columns = n / TILE;
  return {(2 * (pair / columns) + tile % 2) * TILE, pair % columns * TILE};
#else
  return {tile / (n / TILE) * TILE, tile % (n / TILE) * TILE};
#endif
}
__device__ inline void wait(u32 barrier, u32 parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(barrier), "r"(parity) : "memory");
}
__device__ inline void copy(u32 to, const Map* map, int x, int y, u32 barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}
__device__ inline u64 descriptor(u32 address) {
  return (u64)(address >> 4) | (u64)1 << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}
__device__ inline bool elect() {
  u32 elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected));
  return elected;
}
__device__ inline void multiply(float (&d)[64], u64 a, u64 b, int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, "
      "%64, %65, p, 1, 1, 0, 0;\n}"
      :
        "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(adds));
}

__device__ inline void produce(const Map& map_a, const Map& map_b, u32 base, u32 full, u32 empty, int n, int k, int tiles) {
  int round = 0, stage = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int row = place(tile, n).x, column = place(tile, n).y;
    for (int at = 0; at < k; at += 64) {
#ifndef BUG_NO_EMPTY_WAIT
      wait_empty(empty + 8 * stage, round & 1 ^ 1);
#endif
#ifdef BUG_HALF_EXPECTED
      arrive_and_expect(full + 8 * stage, STAGE - OPERAND / 2);
#else
      arrive_and_expect(full + 8 * stage, STAGE);
#endif
      copy(base + stage * STAGE, &map_a, at, row, full + 8 * stage);
#ifdef CLUSTER
      const u32 half = rank();
      copy_to_both(base + stage * STAGE + OPERAND + half * (OPERAND / 2), &map_b, at, column + 64 * half, full + 8 * stage);
#else
      copy(base + stage * STAGE + OPERAND, &map_b, at, column, full + 8 * stage);
#endif
      if (++stage == STAGES) { stage = 0; ++round; }
    }
  }
}

__device__ inline void multiply_tile(float (&d)[64], u32 base, u32 full, u32 empty, int k, int group, int& stage, int& round) {
  int before = -1;
  for (int at = 0; at < k; at += 64) {
#ifndef BUG_NO_FULL_WAIT
    wait(full + 8 * stage, round & 1);
#endif
    const u64 a = descriptor(base + stage * STAGE + group * 64 * 128), b = descriptor(base + stage * STAGE + OPERAND);
#ifndef BUG_NO_FENCE
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
#pragma unroll
    for (int step = 0; step < 4; ++step) multiply(d, a + 2 * step, b + 2 * step, at + step > 0);
#ifndef BUG_NO_COMMIT
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
    // The multiplications of the stage before are done.
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
#ifdef BUG_EARLY_RELEASE
    before = stage;
#endif
    if (before >= 0 && threadIdx.x % 128 == 0) give_back(empty + 8 * before);
    before = stage;
    if (++stage == STAGES) { stage = 0; ++round; }
  }
#ifndef BUG_NO_LAST_WAIT
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
#ifndef BUG_EARLY_RELEASE
  if (threadIdx.x % 128 == 0) give_back(empty + 8 * before);
#endif
}

__device__ inline void meet(int group) { asm volatile("bar.sync %0, 128;" ::"r"(1 + group) : "memory"); }

// 64 rows of a tile through a part of shared memory that no other warpgroup uses.
__device__ inline void store(float (&d)[64], unsigned char* staging, const Map& map_out, unsigned short* out, int n, int row,
                             int column, int group) {
  const int thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
#pragma unroll
  for (int part = 0; part < 8; ++part) {
    u32 r[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r[i]) : "f"(d[8 * part + 2 * i + 1]), "f"(d[8 * part + 2 * i]));
    // Lanes 0 to 15 have the rows of the left matrices, the others those of the right ones.
    const int at = warp * 16 + lane % 16, chunk = 2 * part % 8 + lane / 16;
    const u32 to = shared_address(staging) + part / 4 * 8192 + at * 128 + ((chunk ^ (at & 7)) << 4);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 ::"r"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  }
#ifdef BULK_STORE
#ifndef BUG_NO_STORE_FENCE
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  meet(group);
  if (thread == 0) {
    for (int half = 0; half < 2; ++half)
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                   ::"l"(&map_out), "r"(column + 64 * half), "r"(row), "r"(shared_address(staging) + 8192 * half) : "memory");
#ifndef BUG_NO_STORE_COMMIT
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
#if defined(BUG_NO_STORE_WAIT)
#elif defined(FULL_WAIT)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#else
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
  }
#ifndef BUG_NO_STORE_MEETING
  meet(group);
#endif
#else
#ifndef BUG_NO_MEETING
  meet(group);
#endif
  for (int at = thread; at < 64 * 16; at += 128) {
    const int line = at / 16, chunk = at % 16;
    const u64* from = (const u64*)(staging + chunk / 8 * 8192 + line * 128 + ((chunk % 8 ^ (line & 7)) << 4));
    u64* to = (u64*)(out + (u64)(row + line) * n + column + 8 * chunk);
    to[0] = from[0];
    to[1] = from[1];
  }
  meet(group);
#endif
}

#ifdef CLUSTER
#define GIVERS 4
#define SHAPE __cluster_dims__(2, 1, 1)
#else
#define GIVERS 2
#define SHAPE
#endif
#if defined(BUG_OWN_ONLY)
#undef GIVERS
#define GIVERS 2
#endif
extern "C" __global__ void SHAPE __launch_bounds__(384)
    specialised(const __grid_constant__ Map map_a, const __grid_constant__ Map map_b, const __grid_constant__ Map map_out,
                unsigned short* out, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char ring[];
  __shared__ u64 barriers[2 * STAGES];
  const u32 base = shared_address(ring), full = shared_address(barriers), empty = full + 8 * STAGES;
  const int tiles = m / TILE * (n / TILE);
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, 1);
      init(empty + 8 * s, GIVERS);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
#if defined(CLUSTER) && !defined(BUG_NO_START)
  meet_cluster();
#else
  __syncthreads();
#endif
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x < 32 && elect()) produce(map_a, map_b, base, full, empty, n, k, tiles);
#if defined(CLUSTER) && !defined(BUG_NO_END)
    __syncwarp();
    meet_cluster();
#endif
    return;
  }
  const int group = threadIdx.x / 128 - 1;
#ifdef BUG_MANY_REGISTERS
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
#else
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
  int stage = 0, round = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float d[64];
    multiply_tile(d, base, full, empty, k, group, stage, round);
    const int row = place(tile, n).x + 64 * group, column = place(tile, n).y;
    store(d, ring + STAGES * STAGE + group * STAGING, map_out, out, n, row, column, group);
  }
#if defined(CLUSTER) && !defined(BUG_NO_END)
  meet_cluster();
#endif
}
