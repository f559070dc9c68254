// Where matrix 0..4 of an x4 load begins: 0, 1 and 2, 3 are the even and odd rows of both halves of
// an atom's k, or of two chunks where an atom has no more k than one.
template <class Tile>
__device__ __forceinline__ int bytes_mn(int matrix) {
    return Tile::HALVES_OF_K ? 0 : matrix / 2 * 16;
}
template <class Tile>
__device__ __forceinline__ int bytes_k(int matrix) {
    return (Tile::HALVES_OF_K ? matrix / 2 * 16 : 0) + matrix % 2;
}
