// For the compiler alone: products in flight access this sum, so nothing else may move it.
__device__ __forceinline__ void fence_operand(int& sum) {
    asm volatile("" : "+r"(sum) :: "memory");
}
