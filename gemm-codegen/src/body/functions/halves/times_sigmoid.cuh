// x * sigmoid(v), for an x of the sign of v. The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float times_sigmoid(const float x, const float v) {
    // As sigmoid, for results that are stored in 16 bits. (PTX ISA, ex2 and rcp)
    float power, result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-1.4426950f * v));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return fmaxf(x, -3.4028235e38f) * result;
}
