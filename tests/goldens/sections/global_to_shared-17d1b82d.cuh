// Copies the tile of a block at k0 to shared memory: of the factor of its product.
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned to, const MapsOfB& operands, Block block, int k0, unsigned barrier) {
    const TensorMap* operand = operands.of[0];
#pragma unroll
    for (int segment = 1; segment < SEGMENTS; ++segment) {
        if (block.segment == segment) operand = operands.of[segment];
    }
    global_to_shared<Tile>(to, *operand, block, k0, barrier);
}
