// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
__device__ __forceinline__ void group_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(2 + threadIdx.x / 128) : "memory");
}
