// The nearest bf16, for a finite number a finite one; ties to even.
__device__ __forceinline__ Part to_part(float x) {
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return Part(bits >> 16 | 0x40);  // a NaN stays one
    if (magnitude == 0x7f800000) return Part(bits >> 16);
    const unsigned nearest = (magnitude + 0x7fff + (magnitude >> 16 & 1)) >> 16;
    return Part(bits >> 31 << 15 | min(nearest, 0x7f7fu));
}

__device__ __forceinline__ float to_float(Part part) {
    return __uint_as_float(unsigned(part) << 16);
}
