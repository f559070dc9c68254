// Adds 1 to a count, which wraps from `last` to 0, and returns what it was. What happened before on
// the threads that have counted themselves in earlier then comes before what this thread does.
// (PTX ISA, atom, .inc and .acq_rel)
__device__ __forceinline__ unsigned count_in(unsigned* arrivals, unsigned last) {
    unsigned earlier;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(earlier) : "l"(arrivals), "r"(last) : "memory");
    return earlier;
}
