// Waits until the grid in front has ended and all that it wrote can be read. (PTX ISA,
// griddepcontrol)
__device__ __forceinline__ void wait_for_grid_in_front() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

// Lets the next grid start once all blocks of this one have come here. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void start_next_grid() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
