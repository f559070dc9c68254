// Issues a 16-byte copy that bypasses L1, of zeros where it is not `inside`. (PTX ISA, cp.async)
template <class Tile>
__device__ __forceinline__ void cp_async_cg(unsigned to, const void* from, bool inside) {
    asm volatile("{\n\t.reg .pred outside;\n\tsetp.eq.s32 outside, %2, 0;\n\t"
                 "cp.async.cg.shared.global [%0], [%1], 16, outside;\n\t}"
                 :: "r"(to), "l"(__cvta_generic_to_global(from)), "r"(int(inside)) : "memory");
}
