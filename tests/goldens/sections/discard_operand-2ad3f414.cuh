// The same for a sum whose value is not needed any more.
__device__ __forceinline__ void discard_operand(int& sum) { asm volatile("" : "=r"(sum)); }
