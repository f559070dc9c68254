// Starts a copy of COPY_BYTES bytes; those from `valid` on become zero. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_ca(unsigned to, const void* from, int valid) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(Tile::COPY_BYTES),
                 "r"(valid) : "memory");
}
