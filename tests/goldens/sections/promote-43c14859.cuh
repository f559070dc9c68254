// acc += what the tensor cores have summed, which they truncate; this rounds to nearest. The first
// of these sums is number `first` of acc.
__device__ __forceinline__ void promote(Sum (&acc)[SUMS], Unpromoted& of, int first = 0) {
#pragma unroll
    for (int j = 0; j < PROMOTED_SUMS; ++j) {
        fence_operand(of.sums[j]);
        acc[first + j] += of.sums[j];
    }
}
