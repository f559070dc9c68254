// 1 with the sign of x, which a zero has too; NaN stays NaN.
__device__ __forceinline__ float signum(const float x) {
    return x == x ? copysignf(1.0f, x) : x;
}

// 1 with the sign of x, which a zero has too; NaN stays NaN.
__device__ __forceinline__ double signum_f64(const double x) {
    return x == x ? copysign(1.0, x) : x;
}
