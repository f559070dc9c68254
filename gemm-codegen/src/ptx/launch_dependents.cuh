// Lets the dependent kernel launch once every block has called this. Before sm_90 it launches when
// this kernel has completed. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void launch_dependents() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    }
}
