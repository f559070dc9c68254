// x * sigmoid(v), for an x of the sign of v. The factor x is kept finite: -inf * 0 would be NaN.
__device__ __forceinline__ float times_sigmoid(const float x, const float v) {
    // Below 0, x is multiplied by the root of e^v twice: e^v would be subnormal where the product
    // is not. The divisor is between 1 and 2, where the hardware's reciprocal is good to one unit.
    const float root = expf(-0.5f * fabsf(v));
    const float finite = fmaxf(x, -3.4028235e38f);
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(fmaf(root, root, 1.0f)));
    return (v < 0.0f ? finite * root * root : finite) * result;
}

// x * sigmoid(v), for an x of the sign of v. The factor x is kept finite: -inf * 0 would be NaN.
// Below 0, x is multiplied by the root of e^v twice: e^v would be subnormal where the product is
// not.
__device__ __forceinline__ double times_sigmoid_f64(const double x, const double v) {
    const double root = exp(-0.5 * fabs(v));
    const double finite = fmax(x, -1.7976931348623157e308);
    return (v < 0.0 ? finite * root * root : finite) * (1.0 / fma(root, root, 1.0));
}
