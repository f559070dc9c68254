// Rounds a binary32 to tf32, 11 significant bits: to nearest, ties away from zero; infinities and
// NaN stay. The bits below are left to be ignored. It is cvt.rna.tf32, which is slower than the
// products.
__device__ __forceinline__ unsigned round_tf32(unsigned bits) {
    return fabsf(__uint_as_float(bits)) <= 3.4028235e38f ? bits + 0x1000 : bits;
}
