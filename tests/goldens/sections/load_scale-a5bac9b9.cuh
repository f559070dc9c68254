// Loads a scale of 4 bytes from shared memory. (PTX ISA, ld)
__device__ __forceinline__ void load_scale(float& scale, unsigned from) {
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(scale) : "r"(from) : "memory");
}
