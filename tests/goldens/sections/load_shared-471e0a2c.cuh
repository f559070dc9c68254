// Loads 8 bytes from shared memory to two registers, the low one first. (PTX ISA, ld)
template <class Tile>
__device__ __forceinline__ void load_shared(unsigned (&to)[2], unsigned from) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(from) : "memory");
}
