// The descriptor of what an instruction reads from `address` on: start, leading and stride distance
// in units of 16 bytes, and the swizzle of 128 bytes. (PTX ISA, Matrix descriptor format)
template <class Tile>
__device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    constexpr unsigned long long DISTANCES =
        1ull << 62 | static_cast<unsigned long long>(Tile::STRIDE / 16) << 32
                   | static_cast<unsigned long long>(Tile::LEADING / 16) << 16;
    return DISTANCES | (address & 0x3ffff) / 16;
}
