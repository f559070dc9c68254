// One copy of VECTOR elements, or of as many bytes as the operand is aligned to.
template <class Tile>
__device__ __forceinline__ void copy_async(
    typename Tile::Element* to, const typename Tile::Element* from, int valid) {
    if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile::COPY_BYTES>(to, from, valid * int(sizeof(*from)));
    } else {
        *to = valid > 0 ? *from : typename Tile::Element{};
    }
}
