// Rounds a binary32 to tf32, 11 significant bits: to nearest, ties away from zero. (PTX ISA, cvt)
__device__ __forceinline__ unsigned round_tf32(unsigned bits) {
    unsigned result;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(result) : "f"(__uint_as_float(bits)));
    return result;
}
