// For the compiler alone: the value is in its register from here on.
__device__ __forceinline__ void fence_operand(unsigned& value) {
    asm volatile("" : "+r"(value) :: "memory");
}
