// Waits until the predecessor kernel has completed and its writes are visible. (PTX ISA,
// griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

// Lets the dependent kernel launch once every block has called this. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void launch_dependents() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
