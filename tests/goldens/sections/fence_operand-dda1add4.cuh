// For the compiler alone: products in flight access this sum, so nothing else may move it.
__device__ __forceinline__ void fence_operand(float& sum) {
    asm volatile("" : "+f"(sum) :: "memory");
}
