// 1 / (1 + e^-x), good to 17 bits for results that are stored with 11 at most: 2^y and the
// reciprocal are the hardware's. A result below 2^-126 is 0. (PTX ISA, ex2 and rcp)
__device__ __forceinline__ float sigmoid(const float x) {
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return result;
}
