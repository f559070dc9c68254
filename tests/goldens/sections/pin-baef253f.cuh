// For the compiler alone: a product in flight accesses its sums, so nothing else may move them.
__device__ __forceinline__ void pin(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "+r"(acc[i][j]) :: "memory");
    }
}
