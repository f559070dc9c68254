// Waits until the predecessor kernel has completed and its writes are visible. Before sm_90 no
// kernel starts earlier. (PTX ISA, griddepcontrol)
__device__ __forceinline__ void wait_for_predecessor() {
    if constexpr (__CUDA_ARCH__ >= 900) {
        asm volatile("griddepcontrol.wait;" ::: "memory");
    }
}
