// The lane's factor of its row (or column) i at k.
template <class Tile>
__device__ __forceinline__ float factor(const unsigned* fragment, int i, int k) {
    const int at = Tile::held(i, k);
    const unsigned bits = fragment[at / Tile::PACKED] >> (at % Tile::PACKED * 16);
    return to_value(typename Tile::Element{static_cast<unsigned short>(bits)});
}
