// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|), where nothing overflows.
__device__ __forceinline__ float softplus(const float x) {
    return fmaxf(x, 0.0f) + log1pf(expf(-fabsf(x)));
}

// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|), where nothing overflows.
__device__ __forceinline__ double softplus_f64(const double x) {
    return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}
