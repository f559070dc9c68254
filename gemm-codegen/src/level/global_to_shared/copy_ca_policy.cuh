// One copy of COPY_BYTES bytes, which is inside the operand as a whole or becomes zero.
template <class Tile>
__device__ __forceinline__ void copy_async(
    unsigned to, const typename Tile::Element* from, bool inside, unsigned long long policy) {
    if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile>(to, from, inside, policy);
    } else {  // no asynchronous copy is that narrow
        store_shared<Tile>(to, inside ? from->bits : 0);
    }
}
