// Loads a scale of 2 bytes from shared memory. (PTX ISA, ld)
template <class Element>
__device__ __forceinline__ void load_scale(Element& scale, unsigned from) {
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(scale.bits) : "r"(from) : "memory");
}
