// Starts a copy of BYTES bytes; those from `valid` on become zero. (PTX ISA, cp.async)
template <int BYTES>
__device__ __forceinline__ void cp_async_ca(void* to, const void* from, int valid) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"(shared), "l"(__cvta_generic_to_global(from)), "n"(BYTES), "r"(valid)
                 : "memory");
}
