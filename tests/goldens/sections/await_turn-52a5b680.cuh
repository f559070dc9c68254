// The turns of the two warpgroups, a barrier each, at which one waits for the other to arrive. One
// waits for a stage only when the other has waited for all before: parity tells a phase from the
// next one alone. (PTX ISA, bar)
__device__ __forceinline__ void await_turn(int group) {
    asm volatile("bar.sync %0, %1;" :: "r"(5 + group), "n"(CONSUMERS) : "memory");
}
__device__ __forceinline__ void give_turn(int group) {
    asm volatile("bar.arrive %0, %1;" :: "r"(5 + group), "n"(CONSUMERS) : "memory");
}
