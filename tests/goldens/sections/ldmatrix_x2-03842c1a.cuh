// Loads 2 matrices of 8x8 b16; lanes 0-15 address their rows. (PTX ISA, ldmatrix)
template <class Tile>
__device__ __forceinline__ void ldmatrix_x2(unsigned* r, unsigned row) {
    if constexpr (Tile::TRANSPOSED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
    }
}
