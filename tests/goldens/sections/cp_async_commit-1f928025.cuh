// Closes the group of copies started since the last one. (PTX ISA, cp.async.commit_group)
__device__ __forceinline__ void cp_async_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
