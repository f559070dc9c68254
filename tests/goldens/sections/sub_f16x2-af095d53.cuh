// a - b for each of two f16. (PTX ISA, sub)
__device__ __forceinline__ unsigned sub_f16x2(unsigned a, unsigned b) {
    unsigned difference;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}
