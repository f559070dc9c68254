// The barrier of the thread's warpgroup. (PTX ISA, bar.sync)
constexpr int WARPGROUP_BARRIER = 2;  // of the first one
__device__ __forceinline__ void warpgroup_sync() {
    asm volatile("bar.sync %0, 128;" :: "r"(WARPGROUP_BARRIER + threadIdx.x / 128) : "memory");
}
