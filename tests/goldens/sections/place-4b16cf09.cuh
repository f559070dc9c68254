// The register of a half of these matrices and of a band.
template <class Tile>
__device__ __forceinline__ constexpr int place(int half, int band) {
    return Tile::BANDS_FIRST ? band * 2 + half : half * 2 + band;
}
