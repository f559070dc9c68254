// Stores COPY_BYTES bytes to shared memory, 1 or 2. (PTX ISA, st)
template <class Tile>
__device__ __forceinline__ void store_shared(unsigned to, unsigned short bits) {
    if constexpr (Tile::COPY_BYTES == 1) {
        asm volatile("st.shared.u8 [%0], %1;" :: "r"(to), "h"(bits) : "memory");
    } else {
        asm volatile("st.shared.u16 [%0], %1;" :: "r"(to), "h"(bits) : "memory");
    }
}
