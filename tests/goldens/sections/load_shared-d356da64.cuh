// Loads 4 bytes from shared memory. (PTX ISA, ld)
template <class Tile>
__device__ __forceinline__ unsigned load_shared(unsigned from) {
    unsigned bits;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(bits) : "r"(from) : "memory");
    return bits;
}
