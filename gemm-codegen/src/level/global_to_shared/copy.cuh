// Issues one copy of COPY_BYTES bytes, or zero-fills them where it is not `inside` the operand.
template <class Tile>
__device__ __forceinline__ void copy_async(
#if POLICY
    unsigned to, const typename Tile::Element* from, bool inside, unsigned long long policy) {
#else
    unsigned to, const typename Tile::Element* from, bool inside) {
#endif
#if PAST_L1
    if constexpr (Tile::PAST_L1 && Tile::COPY_BYTES == 16) {
#if POLICY
        cp_async_cg<Tile>(to, from, inside, policy);
#else
        cp_async_cg<Tile>(to, from, inside);
#endif
    } else if constexpr (Tile::COPY_BYTES >= 4) {
#else
    if constexpr (Tile::COPY_BYTES >= 4) {
#endif
#if POLICY
        cp_async_ca<Tile>(to, from, inside, policy);
#else
        cp_async_ca<Tile>(to, from, inside);
#endif
    } else {  // narrower than any asynchronous copy
        store_shared<Tile>(to, inside ? from->bits : 0);
    }
}
