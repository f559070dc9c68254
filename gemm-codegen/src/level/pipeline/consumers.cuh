#if ROLES
// The threads that multiply and store, the first of a block, and their barrier. (PTX ISA, bar.sync)
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;
__device__ __forceinline__ void consumers_sync() {
    asm volatile("bar.sync 1, %0;" :: "n"(CONSUMERS) : "memory");
}
#else
// The threads that multiply and store, which are all of a block, and their barrier.
constexpr int CONSUMERS = THREADS;
__device__ __forceinline__ void consumers_sync() { __syncthreads(); }
#endif
