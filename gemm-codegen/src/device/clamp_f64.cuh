// x inside [lo, hi]; NaN stays NaN.
__device__ __forceinline__ double clamp_f64(const double x, const double lo, const double hi) {
    const double raised = x < lo ? lo : x;
    return raised > hi ? hi : raised;
}
