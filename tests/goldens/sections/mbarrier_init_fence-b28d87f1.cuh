// Makes initialised barriers visible to the cluster and to the copy unit. (PTX ISA,
// fence.mbarrier_init)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    fence_proxy_async();
}
