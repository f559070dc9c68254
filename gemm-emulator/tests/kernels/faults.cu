// One planted mistake for each kernel; `mode` picks the lane, offset or size where it matters.
typedef unsigned int u32;
#define KERNEL(name) extern "C" __global__ void name(int* x, int* out, int mode)
__device__ inline u32 at(const void* p) { return (u32)__cvta_generic_to_shared(p); }
#define COPY(to, from, bytes) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

KERNEL(global_index) { out[threadIdx.x] = x[threadIdx.x + mode]; }
KERNEL(global_store) { out[threadIdx.x + mode] = 1; }
KERNEL(global_vector) { *(int4*)(out + mode) = make_int4(1, 2, 3, 4); }
KERNEL(global_bytes) { *(long long*)((char*)out + mode) = 1; }
KERNEL(shared_index) {
  __shared__ int before[32]; __shared__ int s[32];
  before[threadIdx.x] = 0; s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + mode] + before[threadIdx.x];
}
KERNEL(shared_unwritten) {
  __shared__ int s[32];
  if ((int)threadIdx.x != mode) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
KERNEL(local_index) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = x[i];
  values[(x[0] + mode) & 63] = 3;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[(i + x[1]) & 7];
  out[threadIdx.x] = sum;
}
// Each thread copies 16 bytes; mode: 0 right, 1 no wait, 2 no barrier, 3 waits for too few groups, 4 overwrites in flight.
KERNEL(async_copy) {
  __shared__ __align__(16) int s[128];
  const int t = threadIdx.x;
  COPY(at(s + 4 * t), x + 4 * t, 16);
  COMMIT;
  if (mode == 3) COMMIT;
  if (mode == 4) s[4 * t] = 5;
  if (mode == 3) WAIT(2);
  else if (mode != 1) WAIT(0);
  int own = s[4 * t];
  if (mode != 2) __syncthreads();
  out[t] = own + s[(4 * t + 4) % 128];
}
KERNEL(async_sizes) {
  __shared__ __align__(16) int s[128];
  const int t = threadIdx.x;
  COPY(at(s + 4 * t), x + 4 * t, mode);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[4 * t] + s[4 * t + 3];
}
KERNEL(async_misaligned) {
  __shared__ __align__(16) int s[132];
  COPY(at(s + 4 * threadIdx.x) + (mode & 1 ? 4 : 0), (char*)(x + 4 * threadIdx.x) + (mode & 2 ? 8 : 0), 16);
  asm volatile("cp.async.wait_all;" ::: "memory");
}
KERNEL(matrix_rows) {
  __shared__ __align__(16) int s[36];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 4) s[32 + threadIdx.x] = 0;
  __syncthreads();
  int r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(r) : "r"(at(s) + 16 * (threadIdx.x & 7) + mode) : "memory");
  out[threadIdx.x] = r;
}
KERNEL(barrier_in_branch) {
  if ((int)threadIdx.x < mode) __syncthreads();
  out[threadIdx.x] = 1;
}
KERNEL(barrier_after_exit) {
  if ((int)threadIdx.x >= mode) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
KERNEL(endless) {
  volatile int* p = x;
  while (p[0] == mode) {}
}
KERNEL(matrix_in_branch) {
  float d[4] = {};
  if ((int)threadIdx.x < mode)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4}, {%4}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]));
  out[threadIdx.x] = (int)d[0];
}
KERNEL(shuffle_members) { out[threadIdx.x] = __shfl_sync(mode, x[threadIdx.x], 0); }
KERNEL(shuffle_in_branch) {
  int v = x[threadIdx.x];
  if ((int)threadIdx.x < mode) v = __shfl_xor_sync(~0u, v, 1);
  out[threadIdx.x] = v;
}
KERNEL(stops_itself) { if ((int)threadIdx.x == mode) __trap(); }
struct Table { int values[4]; };
extern "C" __global__ void parameter_index(const Table table, int* out, int mode) { out[threadIdx.x] = table.values[mode]; }
__constant__ int constants[4] = {1, 2, 3, 4};
KERNEL(constant_index) { out[threadIdx.x] = constants[mode]; }
KERNEL(blocks_side_by_side) { out[blockIdx.x * mode + threadIdx.x] = x[threadIdx.x]; }
KERNEL(blocks_in_turn) {
  while (atomicAdd(x, 0) != (int)blockIdx.x) {}
  __threadfence();
  out[blockIdx.x * mode + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(x, 1);
}
KERNEL(blocks_that_do_not_wait) {
  out[blockIdx.x * mode + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(x, 1);
}
#define ADD(order, result, by)                                 \
  asm volatile("atom." order ".gpu.global.add.s32 %0, [%1], %2;" \
               : "=r"(result) : "l"(x), "r"(by) : "memory")
KERNEL(blocks_that_order_by_atomics) {
  int old = 0;
  if (blockIdx.x == 0) {
    out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (mode == 0 || mode == 3) ADD("release", old, 1);
    if (mode == 1) ADD("acq_rel", old, 1);
    if (mode == 2) ADD("acquire", old, 1);  // releases nothing
    return;
  }
  if (threadIdx.x == 0) {
    while (old == 0) {
      if (mode == 0 || mode == 2) ADD("acquire", old, 0);
      if (mode == 1) ADD("acq_rel", old, 0);
      if (mode == 3) ADD("release", old, 0);  // acquires nothing
    }
  }
  __syncthreads();
  out[blockDim.x + threadIdx.x] = __ldcg(out + threadIdx.x);
}
KERNEL(blocks_that_read_what_others_wrote) {
  if (blockIdx.x == 0) {
    out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (mode != 1) __threadfence();
      atomicAdd(x, 1);
    }
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(x, 0) == 0) {}
    if (mode != 2) __threadfence();
  }
  __syncthreads();
  out[blockDim.x + threadIdx.x] = __ldcg(out + threadIdx.x);
}
