// Where matrix 0..4 of an x4 load begins. Its matrices are four consecutive registers: those of A
// run along m first, those of B along k first. (PTX ISA, Matrix Fragments for mma.m16n8k16)
template <class Tile>
__device__ __forceinline__ int matrix_mn(int matrix) {
    if constexpr (Tile::MATRICES_K == 1) return matrix * 8;
    else return (Tile::K_FIRST ? matrix / 2 : matrix % 2) * 8;
}
template <class Tile>
__device__ __forceinline__ int matrix_k(int matrix) {
    if constexpr (Tile::MATRICES_K == 1) return 0;
    else return (Tile::K_FIRST ? matrix % 2 : matrix / 2) * Tile::MATRIX_K;
}
