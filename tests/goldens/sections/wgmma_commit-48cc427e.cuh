// Closes a group of the products issued so far. (PTX ISA, wgmma.commit_group)
__device__ __forceinline__ void wgmma_commit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
