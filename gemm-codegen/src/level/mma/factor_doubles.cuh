// The lane's factor of its row (or column) i at k.
template <class Tile>
__device__ __forceinline__ double factor(const unsigned* fragment, int i, int k) {
    const int at = 2 * Tile::held(i, k);  // the first of two registers
    return __hiloint2double(fragment[at + 1], fragment[at]);
}
