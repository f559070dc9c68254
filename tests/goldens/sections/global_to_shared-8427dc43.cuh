// Copies the tile of a block at k0 to shared memory: for each warp a part of every factor of B.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const MapsOfB& operands, Block block, int k0, unsigned barrier) {
    block.n /= PRODUCTS;
#pragma unroll
    for (int n = 0; n < BLK_N / PRODUCTS; n += PART_N, block.n += PART_N) {
#pragma unroll
        for (int factor = 0; factor < PRODUCTS; ++factor, to += PartOfB::PART_BYTES) {
            global_to_shared<PartOfB>(to, *operands.of[factor], block, k0, barrier);
        }
    }
}
