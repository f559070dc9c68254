const int WARPS = THREADS / 32;

// Four elements from k on, of a row of n; beyond its end they are zero.
__device__ __forceinline__ Four load(const float* row, int k, int n) {
    if (k + 4 <= n && reinterpret_cast<unsigned long long>(row + k) % 16 == 0) {
        const float4 read = *reinterpret_cast<const float4*>(row + k);
        return {{read.x, read.y, read.z, read.w}};
    }
    Four x;
#pragma unroll
    for (int i = 0; i < 4; ++i) x.of[i] = k + i < n ? row[k + i] : 0.0f;
    return x;
}

#if SCALED
// The largest of what the threads of a block have.
__device__ __forceinline__ unsigned largest_of_block(unsigned bits) {
    __shared__ unsigned of_warps[WARPS];
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        bits = max(bits, __shfl_xor_sync(0xffffffff, bits, lanes));
    }
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = bits;
    __syncthreads();
#pragma unroll
    for (int warp = 0; warp < WARPS; ++warp) bits = max(bits, of_warps[warp]);
    return bits;
}

#endif
// A block has a row.
#if SCALED
// It reads the row twice, the second time from its cache.
#endif
extern "C" __global__ void __launch_bounds__(THREADS) split_rows(
    int m, int n, int,
    const float* x, long long ld_x, long long stride_0_x, long long stride_1_x,
    Part* planes, long long ld_planes, long long stride_0_planes, long long stride_1_planes,
#if SCALED
    int* exponents, long long, long long stride_0_exponents, long long stride_1_exponents,
#endif
    int count_1) {
    const int row = blockIdx.x % unsigned(m), matrix = blockIdx.x / unsigned(m);
    const int outer = matrix / count_1, inner = matrix % count_1;
    x += outer * stride_0_x + inner * stride_1_x + row * ld_x;
    planes += outer * stride_0_planes + inner * stride_1_planes + row * ld_planes;
#if SCALED
    exponents += outer * stride_0_exponents + inner * stride_1_exponents + row;
    unsigned largest = 0;
    for (int k = threadIdx.x * 4; k < n; k += THREADS * 4) {
        const Four read = load(x, k, n);
#pragma unroll
        for (int i = 0; i < 4; ++i) largest = max(largest, magnitude(read.of[i]));
    }
    const int e = exponent(largest_of_block(largest));
    if (threadIdx.x == 0) *exponents = e;
#endif
    const int end = (n + UNIT - 1) / UNIT * UNIT;
    for (int k = threadIdx.x * 4; k < end; k += THREADS * 4) {
#if SCALED
        store(planes, k, scaled(load(x, k, n), e));
#else
        store(planes, k, load(x, k, n));
#endif
    }
}
