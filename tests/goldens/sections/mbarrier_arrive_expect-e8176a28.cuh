// Arrives, and adds `bytes` of copies to what completes the phase. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 :: "r"(barrier), "r"(bytes) : "memory");
}
