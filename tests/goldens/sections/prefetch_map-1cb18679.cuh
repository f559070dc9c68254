// Brings the description of a matrix to the cache of the copy unit. (PTX ISA, prefetch.tensormap)
__device__ __forceinline__ void prefetch_map(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" :: "l"(&map) : "memory");
}
