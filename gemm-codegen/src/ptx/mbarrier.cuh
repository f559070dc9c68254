// Initialises a barrier whose phases complete with `count` arrivals and the expected bytes. (PTX
// ISA, mbarrier.init)
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(count) : "memory");
}

// Arrives. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(barrier) : "memory");
}

// Arrives, and adds `bytes` of copies to what completes the phase. (PTX ISA, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 :: "r"(barrier), "r"(bytes) : "memory");
}

// Whether the phase of this parity has completed; may wait for a limited time. Phases have parity
// 0, 1, 0, ..; before the first one completes, parity 1 counts as completed.
// (PTX ISA, mbarrier.try_wait)
__device__ __forceinline__ bool mbarrier_try_wait(unsigned barrier, unsigned parity) {
    int over;
    asm volatile("{\n\t.reg .pred over;\n\t"
                 "mbarrier.try_wait.parity.shared.b64 over, [%1], %2;\n\t"
                 "selp.s32 %0, 1, 0, over;\n\t}"
                 : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
    return over;
}

// Waits until the phase of this parity has completed.
__device__ __forceinline__ void mbarrier_wait(unsigned barrier, unsigned parity) {
    while (!mbarrier_try_wait(barrier, parity)) {}
}
