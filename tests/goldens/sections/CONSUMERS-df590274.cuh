// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;
// Their barrier. (PTX ISA, bar.sync)
__device__ __forceinline__ void consumers_sync() {
    asm volatile("bar.sync 1, %0;" :: "n"(CONSUMERS) : "memory");
}
