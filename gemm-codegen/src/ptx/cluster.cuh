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
#if SENDS

// The same, after which all that threads of the cluster have stored is there.
__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Releases accesses to the own shared memory to the cluster. (PTX ISA, fence.sync_restrict)
__device__ __forceinline__ void release_shared() {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}
#endif
