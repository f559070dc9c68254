// Arrives. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(barrier) : "memory");
}
