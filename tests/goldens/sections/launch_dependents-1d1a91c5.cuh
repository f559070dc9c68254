// Lets the dependent kernel launch once every block has called this. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void launch_dependents() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
