// Initialises a barrier whose phases complete with `count` arrivals and the expected bytes. (PTX
// ISA, mbarrier.init)
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(count) : "memory");
}
