// A sum times a value, modulo 2^32: an int that overflows is undefined in C++.
__device__ __forceinline__ Sum times(Sum sum, Sum by) {
    return static_cast<Sum>(static_cast<unsigned>(sum) * static_cast<unsigned>(by));
}
