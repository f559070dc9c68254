// Orders what the copy unit, an async proxy, does next after all accesses to shared memory that
// this thread has made or observed. A barrier orders the generic proxy alone: without this the copy
// unit was measured to overwrite a stage whose loads had not completed although their warp had
// arrived. (PTX ISA, fence.proxy.async)
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
