// The same: what the sums were is not needed any more. Products that seem to depend on it, or on
// what any other instruction has set, are run one by one.
__device__ __forceinline__ void forget(Accumulators& acc) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < SUMS; ++j) asm volatile("" : "=f"(acc[i][j]));
    }
}
