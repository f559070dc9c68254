// Says that the warp has multiplied the k-tile of a stage.
__device__ __forceinline__ void consumer_release(Ring ring, unsigned stage) {
    if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.empty_barrier(stage));
}
