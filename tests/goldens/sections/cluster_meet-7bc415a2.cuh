// The barrier of all threads of a cluster that have not exited. Its arrival releases nothing, which
// would wait for global memory: a fence before it does. (PTX ISA, barrier.cluster)
__device__ __forceinline__ void cluster_meet() {
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
