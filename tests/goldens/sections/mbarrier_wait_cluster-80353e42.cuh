// Waits until the phase of this parity has completed, at which threads of other blocks arrive too.
// This fence acquires what they did to shared memory, and unlike one of the wait it leaves L1 as it
// is. (PTX ISA, mbarrier.try_wait, fence.sync_restrict)
__device__ __forceinline__ void mbarrier_wait_cluster(unsigned barrier, unsigned parity) {
    int over;
    do {
        asm volatile("{\n\t.reg .pred over;\n\t"
                     "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 over, [%1], %2;\n\t"
                     "selp.s32 %0, 1, 0, over;\n\t}"
                     : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
    } while (!over);
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
}
