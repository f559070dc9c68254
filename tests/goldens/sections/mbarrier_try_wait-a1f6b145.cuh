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
