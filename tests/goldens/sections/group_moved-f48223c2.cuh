// The warpgroup whose slabs the thread moves, or -1: the first threads of the warps after the one
// that fills the ring have one each.
__device__ __forceinline__ int group_moved() {
    const int group = int(threadIdx.x - CONSUMERS) / 32 - 1;
    return threadIdx.x % 32 == 0 && group < MOVERS ? group : -1;
}
