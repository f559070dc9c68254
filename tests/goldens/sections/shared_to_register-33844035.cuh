// One of the x4 loads of the k-step at k0: four registers, X4_MN elements along m (or n). `row` is
// the offset of the lane's row in shared memory.
// A k-step moves along the row to another chunk, by xor; what lies below is added, since the
// swizzle repeats every 8 rows.
template <class Tile>
__device__ __forceinline__ void shared_to_register(
    unsigned* fragments, unsigned row, int k0, int load) {
    constexpr int BYTES = int(sizeof(typename Tile::Element));
    ldmatrix_x4<Tile>(fragments, (row ^ (k0 * BYTES)) + load * Tile::X4_MN * Tile::PITCH);
}
