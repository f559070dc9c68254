// Orders the products issued next after accesses to their accumulators. (PTX ISA, wgmma.fence)
__device__ __forceinline__ void wgmma_fence() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
