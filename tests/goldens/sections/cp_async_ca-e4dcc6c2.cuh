// Issues a copy of COPY_BYTES bytes, of zeros where it is not `inside`, with the L2 policy of the
// operand if it has one. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_ca(
    unsigned to, const void* from, bool inside, unsigned long long policy) {
    if constexpr (Tile::HAS_POLICY) {
        asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %3, 0;\n\t"
                     "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, outside, %4;\n\t}"
                     :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(Tile::COPY_BYTES),
                     "r"(int(inside)), "l"(policy) : "memory");
    } else  // this operand has none
    asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %3, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], %2, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(Tile::COPY_BYTES),
                 "r"(int(inside)) : "memory");
}
