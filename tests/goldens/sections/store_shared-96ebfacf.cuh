// Stores COPY_BYTES bytes to shared memory. (PTX ISA, st)
template <class Tile>
__device__ __forceinline__ void store_shared(unsigned to, const unsigned* words) {
    if constexpr (Tile::COPY_BYTES == 16) {
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};"
                     :: "r"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                     : "memory");
    } else if constexpr (Tile::COPY_BYTES == 8) {
        asm volatile("st.shared.v2.u32 [%0], {%1, %2};"
                     :: "r"(to), "r"(words[0]), "r"(words[1]) : "memory");
    } else {
        asm volatile("st.shared.u32 [%0], %1;" :: "r"(to), "r"(words[0]) : "memory");
    }
}
