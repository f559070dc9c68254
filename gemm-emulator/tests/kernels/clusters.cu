// Blocks of a cluster that read and write each other's shared memory, and its planted mistakes.
// Switches: ARRIVE and WAIT (the forms of a remote arrival and of its wait), one BUG_* per planted fault.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ inline u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ inline u32 rank() {
  u32 r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ inline u32 map(u32 address, u32 rank) {
  u32 mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ inline void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ inline void arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ inline void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
__device__ inline void meet() { arrive_at_cluster(); wait_for_cluster(); }

// The numbers of each block, 18 a block.
extern "C" __global__ void __cluster_dims__(2, 2, 1) ids(u32* out) {
  if (threadIdx.x != 0) return;
  u32* to = out + 18 * (blockIdx.x + gridDim.x * blockIdx.y);
  const dim3 of_block = __clusterRelativeBlockIdx(), of_cluster = __clusterIdx(), shape = __clusterDim(), grid = __clusterGridDimInClusters();
  const u32 numbers[] = {of_block.x, of_block.y, of_block.z, of_cluster.x, of_cluster.y, of_cluster.z, shape.x, shape.y, shape.z,
                         grid.x, grid.y, grid.z, __clusterRelativeBlockRank(), __clusterSizeInBlocks(), __clusterDimIsSpecified()};
  for (int i = 0; i < 15; ++i) to[i] = numbers[i];
  __shared__ u32 own;
  u32 of_own, of_last;
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(of_own) : "r"(shared_address(&own)));
  asm volatile("getctarank.u64 %0, %1;" : "=r"(of_last) : "l"(__cluster_map_shared_rank(&own, 3)));
  to[15] = of_own;
  to[16] = of_last;
  to[17] = 7;
}

// The same for a kernel that is launched with any cluster.
extern "C" __global__ void shape(u32* out) {
  if (threadIdx.x == 0) {
    u32 *to = out + 3 * (blockIdx.x + gridDim.x * blockIdx.y), blocks;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    to[0] = rank();
    to[1] = blocks;
    to[2] = __clusterDimIsSpecified();
  }
}

// Each thread sends four numbers to the next block, and adds up what it got and what the one after has got, 128 threads.
extern "C" __global__ void __cluster_dims__(4, 1, 1) exchange(float* out) {
  __shared__ __align__(16) float inbox[4 * 128];
  const u32 thread = threadIdx.x, next = (rank() + 1) % 4;
  const u32 to = map(shared_address(inbox), next) + 16 * thread;
  const float x = (float)(blockIdx.x * 128 + thread);
#ifdef BUG_TOUCHED
  inbox[thread] = 0;
#endif
#ifndef BUG_NO_FIRST
  arrive_relaxed();
  wait_for_cluster();
#endif
#ifdef BUG_NOT_SHARED
  asm volatile("st.shared::cta.v4.f32 [%0], {%1, %1, %1, %1};" ::"r"(to), "f"(x) : "memory");
#else
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};"
               ::"r"(to), "f"(x), "f"(x + 1), "f"(x + 2), "f"(x + 3) : "memory");
#endif
#if defined(BUG_NO_BARRIER)
  __syncthreads();
#elif defined(BUG_RELAXED)
  arrive_relaxed();
  wait_for_cluster();
#elif defined(FENCED)
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
  arrive_relaxed();
  wait_for_cluster();
#else
  meet();
#endif
  float sum = 0, far[4];
  for (int i = 0; i < 4; ++i) sum += inbox[4 * thread + i];
#ifdef GENERIC
  const float4 v = *(const float4*)__cluster_map_shared_rank(inbox + 4 * thread, next);
  far[0] = v.x; far[1] = v.y; far[2] = v.z; far[3] = v.w;
#else
  for (int i = 0; i < 4; i += 2)
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(far[i]), "=f"(far[i + 1]) : "r"(to + 4 * i) : "memory");
#endif
  out[blockIdx.x * 128 + thread] = sum + far[0] + far[1] + far[2] + far[3];
#ifndef BUG_NO_LAST
  meet();
#endif
}

#ifndef ARRIVE
#define ARRIVE 0
#endif
#ifndef WAIT
#define WAIT acquire.cluster
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
__device__ inline void arrive_at(u32 barrier) {
#if ARRIVE == 0
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif ARRIVE == 1
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;\n"
               "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif ARRIVE == 2
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif ARRIVE == 3
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif ARRIVE == 4
  asm volatile("fence.acq_rel.cta;\nmbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#elif ARRIVE == 5
  asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 0;" ::"r"(barrier) : "memory");
#else
  asm volatile("fence.acq_rel.cluster;\nmbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
#endif
}
__device__ inline void wait(u32 barrier, u32 parity) {
  asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity." TEXT(WAIT) ".shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(barrier), "r"(parity) : "memory");
#ifdef FENCE_AFTER_WAIT
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
#endif
}

// Block 1 reads its slot, then tells block 0, which writes there and meets it: two blocks of one warp, ROUNDS rounds.
// With SLOT_OF_0 the slot is in block 0, and block 1 writes to it what block 0 then reads.
extern "C" __global__ void __cluster_dims__(2, 1, 1) hand_over(u32* out) {
  __shared__ u32 slot[32];
  __shared__ u64 storage;
  const u32 lane = threadIdx.x, here = rank(), barrier = shared_address(&storage);
  slot[lane] = lane;
  if (lane == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(barrier) : "memory");
#ifndef BUG_NO_INIT_FENCE
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
  }
  __syncwarp();
#ifdef INIT_ONLY
  arrive_relaxed();
  wait_for_cluster();
#else
  meet();
#endif
  for (u32 round = 0; round < 3; ++round) {
    if (here == 1) {
#ifdef SLOT_OF_0
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map(shared_address(slot + lane), 0)), "r"(round + lane) : "memory");
#else
      out[32 * round + lane] = slot[lane];
#endif
      arrive_at(map(barrier, 0));
    } else {
#ifndef BUG_NO_WAIT
      wait(barrier, round & 1);
#endif
#ifdef SLOT_OF_0
      out[32 * round + lane] = slot[lane];
#else
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map(shared_address(slot + lane), 1)), "r"(round + 1 + lane) : "memory");
#endif
    }
    meet();
  }
}

// The block that counts last adds up what both have stored in global memory: 1 and 2.
extern "C" __global__ void __cluster_dims__(2, 1, 1) last_adds(u32* out) {
  if (threadIdx.x != 0) return;
  out[1 + rank()] = 1 + rank();
#ifdef BUG_RESTRICTED_RELEASE
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
#else
  __threadfence();
#endif
  if (atomicAdd(out, 1) == 0) return;
#ifdef BUG_RESTRICTED_ACQUIRE
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
#else
  __threadfence();
#endif
  out[3] = out[1] + out[2];
}

// Block 1 arrives at an mbarrier of block 0, which may have ended.
extern "C" __global__ void __cluster_dims__(2, 1, 1) late_arrival() {
  __shared__ u64 storage;
  const u32 barrier = shared_address(&storage);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(barrier) : "memory");
  meet();
  if (rank() == 1) arrive_at(map(barrier, 0));
#ifdef WAITED
  else wait(barrier, 0);
#endif
#ifdef MET
  meet();
#endif
}

// Wrong uses of the barrier of the cluster, by its first thread or warp.
extern "C" __global__ void __cluster_dims__(2, 1, 1) barriers(u32 rank_asked, u32* out) {
  __shared__ u32 own;
#if defined(BUG_TWICE)
  arrive_at_cluster();
  arrive_at_cluster();
#elif defined(BUG_UNARRIVED)
  wait_for_cluster();
#elif defined(BUG_APART)
  // Block 1 waits at an mbarrier that nobody arrives at.
  if (rank() == 1) {
    __shared__ u64 storage;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&storage)) : "memory");
    __syncwarp();
    wait(shared_address(&storage), 0);
  }
#elif defined(BUG_DIVERGED)
  // Half of a warp waits for the cluster, the other half for the whole warp.
  if (threadIdx.x < 16) asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  else asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#else
  if (rank() == 1) return;
#endif
  meet();
  *out = map(shared_address(&own), rank_asked);
}
