// (x + 3) / 6 inside [0, 1].
__device__ __forceinline__ float hardsigmoid(const float x) {
    return clamp(x + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f);
}

// (x + 3) / 6 inside [0, 1].
__device__ __forceinline__ double hardsigmoid_f64(const double x) {
    return clamp_f64(x + 3.0, 0.0, 6.0) * (1.0 / 6.0);
}
