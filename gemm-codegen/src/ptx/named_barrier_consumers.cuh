// The barrier of the threads that multiply and store. Barrier 0 is that of the block. (PTX ISA,
// bar.sync)
constexpr int CONSUMERS_BARRIER = 1;
__device__ __forceinline__ void consumers_sync() {
    asm volatile("bar.sync %0, %1;" :: "n"(CONSUMERS_BARRIER), "n"(CONSUMERS) : "memory");
}
