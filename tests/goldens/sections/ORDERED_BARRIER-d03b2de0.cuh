// The order of the two warpgroups: a barrier each, at which it waits until the other one arrives. A
// warpgroup waits for a stage only when the other has waited for all before: parity tells a phase
// from the next one alone. (PTX ISA, bar)
constexpr int ORDERED_BARRIER = 5;  // of the first one
__device__ __forceinline__ void ordered_barrier_wait(int group) {
    asm volatile("bar.sync %0, %1;" :: "r"(ORDERED_BARRIER + group), "n"(CONSUMERS) : "memory");
}
__device__ __forceinline__ void ordered_barrier_arrive(int group) {
    asm volatile("bar.arrive %0, %1;" :: "r"(ORDERED_BARRIER + group), "n"(CONSUMERS) : "memory");
}
