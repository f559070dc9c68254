// 1 / (1 + e^-x), below 0 as e^x / (1 + e^x): e^-x would overflow before the result is 0. The
// divisor is between 1 and 2, where the hardware's reciprocal is good to one unit in the last
// place; a correctly rounded quotient takes a branch and four times as long.
__device__ __forceinline__ float sigmoid(const float x) {
    const float power = expf(-fabsf(x));
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(1.0f + power));
    return (x < 0.0f ? power : 1.0f) * result;
}

// 1 / (1 + e^-x), below 0 as e^x / (1 + e^x): e^-x would overflow before the result is 0.
__device__ __forceinline__ double sigmoid_f64(const double x) {
    const double power = exp(-fabs(x));
    // The quotient of any two numbers takes half as long again as a reciprocal.
    return (x < 0.0 ? power : 1.0) * (1.0 / (1.0 + power));
}
