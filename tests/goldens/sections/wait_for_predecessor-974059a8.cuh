// Waits until the predecessor kernel has completed and its writes are visible. (PTX ISA,
// griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
