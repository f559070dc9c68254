// The lane's factor of its row (or column) i at k.
template <class Tile>
#if DOUBLES
__device__ __forceinline__ double factor(const unsigned* fragment, int i, int k) {
    const int at = 2 * Tile::held(i, k);  // the first of two registers
    return __hiloint2double(fragment[at + 1], fragment[at]);
}
#endif
#if SINGLES
__device__ __forceinline__ float factor(const unsigned* fragment, int i, int k) {
    return __uint_as_float(fragment[Tile::held(i, k)]);
}
#endif
#if HALVES
__device__ __forceinline__ float factor(const unsigned* fragment, int i, int k) {
    const int at = Tile::held(i, k);
    const unsigned bits = fragment[at / Tile::PACKED] >> (at % Tile::PACKED * 16);
    return to_value(typename Tile::Element{static_cast<unsigned short>(bits)});
}
#endif
