// Arrives at the barrier that has this address in the block of that rank. A plain arrival
// releases to the thread's own block alone. This fence releases to the cluster, and unlike one of
// the arrival it does not wait for accesses to global memory. (PTX ISA, mapa,
// fence.sync_restrict, mbarrier.arrive)
__device__ __forceinline__ void mbarrier_arrive_at(unsigned barrier, unsigned rank) {
    asm volatile("{\n\t.reg .b32 remote;\n\t"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
                 "fence.release.sync_restrict::shared::cta.cluster;\n\t"
                 "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [remote];\n\t}"
                 :: "r"(barrier), "r"(rank) : "memory");
}

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
