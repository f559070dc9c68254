// Starts a 16-byte copy past L1; bytes from `valid` on become zero. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_cg(unsigned to, const void* from, int valid) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(valid) : "memory");
}
