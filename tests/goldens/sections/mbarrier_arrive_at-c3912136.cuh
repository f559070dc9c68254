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
