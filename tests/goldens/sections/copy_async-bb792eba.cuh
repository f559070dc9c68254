// Issues one copy of COPY_BYTES bytes, or zero-fills them where it is not `inside` the operand.
template <class Tile, class... Policy>
__device__ __forceinline__ void copy_async(
    unsigned to, const typename Tile::Element* from, bool inside, Policy... policy) {
    if constexpr (Tile::COPY_BYTES >= 4) {
        cp_async_ca<Tile>(to, from, inside, policy...);
    } else {  // narrower than any asynchronous copy
        store_shared<Tile>(to, inside ? from->bits : 0);
    }
}
