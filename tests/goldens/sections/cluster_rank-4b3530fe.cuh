// The number of a block in its cluster. (PTX ISA, %cluster_ctarank)
__device__ __forceinline__ int cluster_rank() {
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
