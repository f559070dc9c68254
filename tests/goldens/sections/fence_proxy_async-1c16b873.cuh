// Orders the copies that this thread issues next after all accesses that it has observed. Without
// it a barrier orders the generic proxy alone: the copy unit, an async proxy, was measured to
// overwrite a stage whose loads had not completed although their warp had arrived.
// (PTX ISA, fence.proxy.async)
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
