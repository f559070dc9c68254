// The number of a block in its cluster. (PTX ISA, %cluster_ctarank)
__device__ __forceinline__ int cluster_rank() {
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// The barrier of all threads of a cluster that have not exited. Its arrival releases nothing, which
// would wait for global memory: a fence before it does. (PTX ISA, barrier.cluster)
__device__ __forceinline__ void cluster_meet() {
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
