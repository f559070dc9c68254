// The factor that a lane holds of its row (or column) i and of k, in two registers.
template <class Tile>
__device__ __forceinline__ double factor(const unsigned* fragment, int i, int k) {
    const int at = 2 * Tile::held(i, k);
    return __hiloint2double(fragment[at + 1], fragment[at]);
}
