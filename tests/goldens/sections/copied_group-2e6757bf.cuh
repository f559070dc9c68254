// The warpgroup whose epilogue tiles the thread has copied, or -1: the first threads of the warps
// after the one that fills the ring of k-tiles have one each.
__device__ __forceinline__ int copied_group() {
    const int group = int(threadIdx.x - CONSUMERS) / 32 - 1;
    return threadIdx.x % 32 == 0 && group < STORERS ? group : -1;
}
