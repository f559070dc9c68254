// acc += what the tensor cores have summed, which they truncate; this rounds to nearest.
__device__ __forceinline__ void promote(Sum (&acc)[SUMS], Unpromoted& of) {
#pragma unroll
    for (int j = 0; j < SUMS; ++j) {
        fence_operand(of.sums[j]);
        acc[j] += of.sums[j];
    }
}
