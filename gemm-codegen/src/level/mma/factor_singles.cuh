// The lane's factor of its row (or column) i at k.
template <class Tile>
__device__ __forceinline__ float factor(const unsigned* fragment, int i, int k) {
    return __uint_as_float(fragment[Tile::held(i, k)]);
}
