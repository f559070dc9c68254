// One copy of COPY_BYTES bytes, of which `valid` elements exist; the rest becomes zero.
template <class Tile>
__device__ __forceinline__ void copy_async(
    unsigned to, const typename Tile::Element* from, int valid) {
    if constexpr (Tile::PAST_L1 && Tile::COPY_BYTES == 16) {
        cp_async_cg<Tile>(to, from, valid * int(sizeof(*from)));
    } else if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile>(to, from, valid * int(sizeof(*from)));
    } else {  // no asynchronous copy is that narrow
        store_shared<Tile>(to, valid > 0 ? from->bits : 0);
    }
}
