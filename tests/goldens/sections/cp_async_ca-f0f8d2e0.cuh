// Issues a copy of COPY_BYTES bytes, of zeros where it is not `inside`. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_ca(unsigned to, const void* from, bool inside) {
    asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %3, 0;\n\t"
                 "cp.async.ca.shared.global [%0], [%1], %2, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "n"(Tile::COPY_BYTES),
                 "r"(int(inside)) : "memory");
}
