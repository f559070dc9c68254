// Waits until the predecessor kernel has completed and its writes are visible. Before sm_90 no
// kernel starts earlier. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
}

// Lets the dependent kernel launch once every block has called this. Before sm_90 it launches when
// this kernel has completed. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void launch_dependents() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    }
}
