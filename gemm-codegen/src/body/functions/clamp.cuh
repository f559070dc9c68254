// x inside [lo, hi]; NaN stays NaN.
__device__ __forceinline__ float clamp(const float x, const float lo, const float hi) {
    const float raised = x < lo ? lo : x;
    return raised > hi ? hi : raised;
}

// x inside [lo, hi]; NaN stays NaN.
__device__ __forceinline__ double clamp_f64(const double x, const double lo, const double hi) {
    const double raised = x < lo ? lo : x;
    return raised > hi ? hi : raised;
}
