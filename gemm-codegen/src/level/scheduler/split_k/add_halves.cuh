// Two accumulators of a lane, packed in a register. (PTX ISA, add.f16x2)
typedef unsigned Register;
__device__ __forceinline__ void add(Register& sum, Register partial) {
    asm("add.rn.f16x2 %0, %0, %1;" : "+r"(sum) : "r"(partial));
}
