// Makes initialised barriers visible to the copy unit. (PTX ISA, fence.proxy)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
