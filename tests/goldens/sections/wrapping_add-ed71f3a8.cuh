// Sum modulo 2^32, as Rust's in release builds: C++ leaves the overflow of an int undefined.
__device__ __forceinline__ int wrapping_add(const int x, const int y) {
    return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
}
