// Loads an f32 from shared memory. (PTX ISA, ld)
__device__ __forceinline__ float load_shared_f32(unsigned from) {
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(from) : "memory");
    return value;
}
