// Waits until at most N of the latest groups have not completed. (PTX ISA, wgmma.wait_group)
template <int N>
__device__ __forceinline__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");
}
