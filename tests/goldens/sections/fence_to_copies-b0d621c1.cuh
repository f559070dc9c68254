// Makes what the thread has stored in shared memory visible to the copy unit. (PTX ISA,
// fence.proxy)
__device__ __forceinline__ void fence_to_copies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
