// The same, after which all that threads of the cluster have stored is there.
__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Releases accesses to the own shared memory to the cluster. (PTX ISA, fence.sync_restrict)
__device__ __forceinline__ void release_shared() {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}
