// (x + 3) / 6 inside [0, 1].
__device__ __forceinline__ double hardsigmoid_f64(const double x) {
    return clamp_f64(x + 3.0, 0.0, 6.0) * (1.0 / 6.0);
}
