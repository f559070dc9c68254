// Waits until at most PENDING of this thread's groups are in flight. (PTX ISA, cp.async.wait_group)
template <int PENDING>
__device__ __forceinline__ void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}
