// Loads VECTOR_BYTES bytes from shared memory. (PTX ISA, ld)
template <class Tile>
__device__ __forceinline__ void load_shared(unsigned* r, unsigned from) {
    if constexpr (Tile::VECTOR_BYTES == 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
    } else if constexpr (Tile::VECTOR_BYTES == 8) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1]) : "r"(from) : "memory");
    } else if constexpr (Tile::VECTOR_BYTES == 4) {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[0]) : "r"(from) : "memory");
    } else {
        asm volatile("ld.shared.u16 %0, [%1];" : "=r"(r[0]) : "r"(from) : "memory");
    }
}
