// A multistage GEMM out[m][n] = sum_k a[m][k] * b[n][k], both operands K contiguous, f32 output.
// Switches: ELEMENT_BF16 (else f16), B_TRANSPOSED (b is [k][n]), ATOM_K8 (m16n8k8), and one BUG_* per planted fault.
#ifndef STAGES
#define STAGES 3
#endif
#define BLK_M 128
#define BLK_N 128
#define BLK_K 32
#define THREADS 256
#ifdef ELEMENT_BF16
#define TYPE "bf16"
#else
#define TYPE "f16"
#endif
typedef unsigned short u16;
typedef unsigned int u32;

__device__ inline u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }

__device__ inline void copy_async(u32 to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ inline void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

__device__ inline void load_4(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
__device__ inline void load_4_transposed(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
__device__ inline void mma(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
#ifdef ATOM_K8
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32." TYPE "." TYPE ".f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b0));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32." TYPE "." TYPE ".f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[2]), "r"(a[3]), "r"(b1));
#else
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// 16-byte chunks of a row of 32 elements (64 B), xor swizzled by the row.
__device__ inline u32 swizzled(int row, int chunk) { return row * 64 + ((chunk ^ ((row >> 1) & 3)) << 4); }
// 16-byte chunks of a row of 128 elements (256 B).
__device__ inline u32 swizzled_wide(int row, int chunk) { return row * 256 + ((chunk ^ (row & 7)) << 4); }

extern "C" __global__ void __launch_bounds__(THREADS) gemm(int m, int n, int k, const u16* a, long long ld_a, const u16* b,
                                                          long long ld_b, float alpha, float* out, long long ld_out) {
  extern __shared__ __align__(128) unsigned char storage[];
  const int blocks_n = (n + BLK_N - 1) / BLK_N;
  const int row0 = (blockIdx.x / blocks_n) * BLK_M, column0 = (blockIdx.x % blocks_n) * BLK_N;
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int warp_m = (warp / 4) * 64, warp_n = (warp % 4) * 32;
  const u32 base = shared_address(storage);
  const u32 stage_bytes = (BLK_M + BLK_N) * BLK_K * 2;
  const int tiles = (k + BLK_K - 1) / BLK_K;

  auto copy = [&](int tile, int stage) {
    const u32 to_a = base + stage * stage_bytes, to_b = to_a + BLK_M * BLK_K * 2;
    const int k0 = tile * BLK_K;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int chunk_id = thread + i * THREADS, row = chunk_id / 4, chunk = chunk_id % 4;
      const int at_k = k0 + chunk * 8;
      int valid = k - at_k < 0 ? 0 : k - at_k > 8 ? 8 : k - at_k;
#ifndef BUG_M_TAIL
      if (row0 + row >= m) valid = 0;
#endif
#ifdef BUG_K_TAIL
      if (row0 + row < m) valid = 8;
#endif
      const u16* from = valid ? a + (long long)(row0 + row) * ld_a + at_k : a;
#ifdef BUG_MISALIGNED_COPY
      copy_async(to_a + swizzled(row, chunk) + 8, from, valid * 2);
#else
      copy_async(to_a + swizzled(row, chunk), from, valid * 2);
#endif
#ifdef B_TRANSPOSED
      const int row_b = chunk_id / 16, chunk_b = chunk_id % 16, at_n = column0 + chunk_b * 8;
      int valid_b = n - at_n < 0 ? 0 : n - at_n > 8 ? 8 : n - at_n;
      if (k0 + row_b >= k) valid_b = 0;
      const u16* from_b = valid_b ? b + (long long)(k0 + row_b) * ld_b + at_n : b;
      copy_async(to_b + swizzled_wide(row_b, chunk_b), from_b, valid_b * 2);
#else
      int valid_b = k - at_k < 0 ? 0 : k - at_k > 8 ? 8 : k - at_k;
      if (column0 + row >= n) valid_b = 0;
      const u16* from_b = valid_b ? b + (long long)(column0 + row) * ld_b + at_k : b;
      copy_async(to_b + swizzled(row, chunk), from_b, valid_b * 2);
#endif
    }
  };

  float sums[4][4][4] = {};
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) copy(s, s);
#ifndef BUG_NO_COMMIT
    commit();
#endif
  }
  for (int tile = 0; tile < tiles; ++tile) {
#ifdef BUG_LAX_WAIT
    wait<STAGES - 1>();
#else
    wait<STAGES - 2>();
#endif
#ifndef BUG_NO_BARRIER
    __syncthreads();
#endif
    if (tile + STAGES - 1 < tiles) copy(tile + STAGES - 1, (tile + STAGES - 1) % STAGES);
    commit();
    const u32 at_a = base + (tile % STAGES) * stage_bytes, at_b = at_a + BLK_M * BLK_K * 2;
#pragma unroll
    for (int step = 0; step < BLK_K / 16; ++step) {
      u32 fragment_a[4][4], fragment_b[2][4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        load_4(fragment_a[i], at_a + swizzled(warp_m + i * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
      for (int j = 0; j < 2; ++j) {
#ifdef B_TRANSPOSED
        load_4_transposed(fragment_b[j], at_b + swizzled_wide(step * 16 + lane % 16, (warp_n + j * 16) / 8 + lane / 16));
        const u32 swap = fragment_b[j][1]; fragment_b[j][1] = fragment_b[j][2]; fragment_b[j][2] = swap;
#else
        load_4(fragment_b[j], at_b + swizzled(warp_n + j * 16 + lane % 16, step * 2 + lane / 16));
#endif
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          mma(sums[i][j], fragment_a[i], fragment_b[j / 2][j % 2], fragment_b[j / 2][2 + j % 2]);
    }
  }
#ifndef BUG_NO_FINAL_WAIT
  wait<0>();
  __syncthreads();
#endif
  // Epilogue: 64 rows at a time through shared memory (64 x 128 f32, 16-byte chunks swizzled), then 16-byte stores.
  float* staged = (float*)storage;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    if (warp / 4 == half) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int row = i * 16 + h * 8 + lane / 4, column = warp_n + j * 8 + (lane % 4) * 2;
            float2 pair = {alpha * sums[i][j][h * 2], alpha * sums[i][j][h * 2 + 1]};
            *(float2*)(staged + row * 128 + ((column / 4 ^ (row & 7)) * 4) + column % 4) = pair;
          }
    }
#ifndef BUG_NO_EPILOGUE_BARRIER
    __syncthreads();
#endif
    for (int id = thread; id < 64 * 32; id += THREADS) {
      const int row = id / 32, chunk = id % 32, column = column0 + chunk * 4;
      const float4 v = *(const float4*)(staged + row * 128 + (chunk ^ (row & 7)) * 4);
      const int at_row = row0 + half * 64 + row;
      if (at_row < m && column < n) {
        float* to = out + at_row * ld_out + column;
#ifdef BUG_N_STORE
        *(float4*)to = v;
#else
        if (column + 4 <= n && (ld_out % 4) == 0) {
          *(float4*)to = v;
        } else {
          to[0] = v.x;
          if (column + 1 < n) to[1] = v.y;
          if (column + 2 < n) to[2] = v.z;
          if (column + 3 < n) to[3] = v.w;
        }
#endif
      }
    }
    __syncthreads();
  }
}
