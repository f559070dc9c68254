// Stores 2 bytes to shared memory. (PTX ISA, st)
template <class Tile>
__device__ __forceinline__ void store_shared(unsigned to, unsigned short bits) {
    asm volatile("st.shared.u16 [%0], %1;" :: "r"(to), "h"(bits) : "memory");
}
