// Loads 4 matrices of 8x8 b16, transposed; lanes 0-31 address their rows. (PTX ISA, ldmatrix)
template <class Tile>
__device__ __forceinline__ void ldmatrix_x4_trans(unsigned* r, unsigned row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}
