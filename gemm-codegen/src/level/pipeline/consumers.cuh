#if ROLES
#if TURNS
// The threads that multiply and store: two warpgroups, the first of a block, which take turns.
constexpr int CONSUMERS = 2 * 128;
#else
// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;
#endif
#if !APART
// Their barrier. (PTX ISA, bar.sync)
__device__ __forceinline__ void consumers_sync() {
    asm volatile("bar.sync 1, %0;" :: "n"(CONSUMERS) : "memory");
}
#endif

// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
__device__ __forceinline__ void group_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(2 + threadIdx.x / 128) : "memory");
}
#else
// The threads that multiply and store, which are all of a block, and their barrier.
constexpr int CONSUMERS = THREADS;
__device__ __forceinline__ void consumers_sync() { __syncthreads(); }
#endif
