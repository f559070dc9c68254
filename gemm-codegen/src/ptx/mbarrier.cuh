// Initialises a barrier whose phases complete with `count` arrivals and the expected bytes. (PTX
// ISA, mbarrier.init)
__device__ __forceinline__ void mbarrier_init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(barrier), "r"(count) : "memory");
}

#if CLUSTERED
// Makes initialised barriers visible to the cluster and to the copy unit. (PTX ISA,
// fence.mbarrier_init, fence.proxy)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#else
// Makes initialised barriers visible to the copy unit. (PTX ISA, fence.proxy)
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
#endif

#if LOADED
// Orders the copies that this thread issues next after all accesses that it has observed. Without
// it a barrier orders the generic proxy alone: the copy unit, an async proxy, was measured to
// overwrite a stage whose loads had not completed although their warp had arrived.
// (PTX ISA, fence.proxy.async)
__device__ __forceinline__ void fence_proxy_async() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#endif
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
#if CLUSTERED

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
#endif
