// Loads one matrix of 8x8 b16; lanes 0-7 address its rows. (PTX ISA, ldmatrix)
template <class Tile>
__device__ __forceinline__ void ldmatrix_x1(unsigned* r, unsigned row) {
    if constexpr (Tile::TRANSPOSED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                     : "=r"(r[0]) : "r"(row) : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(r[0]) : "r"(row) : "memory");
    }
}
