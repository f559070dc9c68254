// Waits until at most N of the thread's latest groups have not read their epilogue tiles.
// (PTX ISA, cp.async.bulk.wait_group)
template <int N>
__device__ __forceinline__ void await_reads() {
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory");
}
