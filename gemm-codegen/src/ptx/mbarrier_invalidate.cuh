// Ends a barrier: its place may be used otherwise. (PTX ISA, mbarrier.inval)
__device__ __forceinline__ void mbarrier_invalidate(unsigned barrier) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(barrier) : "memory");
}
