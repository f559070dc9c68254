// x where it is positive, else alpha * (e^x - 1).
__device__ __forceinline__ float elu(const float x, const float alpha) {
    return x > 0.0f ? x : alpha * expm1f(x);
}

// x where it is positive, else alpha * (e^x - 1).
__device__ __forceinline__ double elu_f64(const double x, const double alpha) {
    return x > 0.0 ? x : alpha * expm1(x);
}
