// Makes initialised barriers visible to the copy unit.
__device__ __forceinline__ void mbarrier_init_fence() { fence_proxy_async(); }
