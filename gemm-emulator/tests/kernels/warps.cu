// Divergence and warp collectives: every kernel writes one int a thread.
#define KERNEL(name) extern "C" __global__ void name(const int* x, int* out, int n)
#define ALL 0xffffffffu

KERNEL(loops_of_each_lane) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < x[t]; ++i) {
    if (i % 3 == 1) continue;
    for (int j = i; j < x[t]; j += 2) sum += j ^ i;
  }
  out[t] = sum;
}
KERNEL(branches) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[t];
  switch (v % 7) {
    case 0: v = v * v; break;
    case 1: v += 100; if (v % 2) v = -v;  // falls through
    case 2: v -= 3; break;
    case 3: { for (int i = 0; i < 5; ++i) v = v * 3 + i; } break;
    case 4: if (v > 50) { out[t] = 777; return; } v = 1; break;
    default: v = __popc(v);
  }
  out[t] = v;
}
__device__ __noinline__ int collatz(int v, int* steps) {
  while (v != 1) { v = v % 2 ? 3 * v + 1 : v / 2; ++*steps; }
  return *steps * 2;
}
KERNEL(calls) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = 0;
  if (x[t] > 10) steps = collatz(x[t], &steps); else steps = -collatz(x[t] + 1, &steps);
  out[t] = steps;
}
KERNEL(warp_sum) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = x[t];
  if (v % 2) v += 1000;
  for (int by = 16; by; by /= 2) v += __shfl_xor_sync(ALL, v, by);
  out[t] = v;
}
KERNEL(warp_scan) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, lane = t % 32;
  int v = x[t];
  for (int by = 1; by < 32; by *= 2) { const int other = __shfl_up_sync(ALL, v, by); if (lane >= by) v += other; }
  out[t] = v + 10000 * __shfl_sync(ALL, v, 3, 8) + __shfl_down_sync(ALL, lane, 4, 8);
}
KERNEL(votes) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, lane = t % 32;
  const bool odd = x[t] % 2;
  int v = __popc(__ballot_sync(ALL, odd));
  v += 100 * __any_sync(ALL, odd) + 200 * __all_sync(ALL, odd);
  if (lane < 8) v += 1000 * __popc(__ballot_sync(0xff, odd)) + (__activemask() == 0xff ? 5000 : 0);
  out[t] = v;
}
KERNEL(block_votes) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int v = __syncthreads_count(x[t] % 2);
  v += __syncthreads_or(x[t] == 5) ? 1000 : 0;
  v += __syncthreads_and(x[t] >= 0) ? 2000 : 0;
  out[t] = v;
}
KERNEL(block_reverse) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
KERNEL(half_warps) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, lane = t % 32;
  int v = x[t];
  if (lane < 16) v += __shfl_xor_sync(0xffff, v, 8); else v -= __shfl_xor_sync(0xffff0000, v, 4);
  __syncwarp();
  out[t] = v;
}
KERNEL(atomics) {
  __shared__ int total, largest;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) { total = 0; largest = 0; }
  __syncthreads();
  atomicAdd(&total, x[t]); atomicMax(&largest, x[t]);
  __syncthreads();
  if (threadIdx.x == 0) { out[blockIdx.x * 4] = total; out[blockIdx.x * 4 + 1] = largest; }
  if (threadIdx.x == 1) out[blockIdx.x * 4 + 2] = 0;
  __syncthreads();
  atomicAdd(out + blockIdx.x * 4 + 2, x[t] & 1);
}
