// Releases accesses to the own shared memory to the cluster. (PTX ISA, fence.sync_restrict)
__device__ __forceinline__ void release_shared() {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
}
